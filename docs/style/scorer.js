/* Theorems and guides before the reference, and that before records. */
var Scorer = {
  score: ([docname, title, anchor, description, score]) => {
    const record = docname === "CHANGELOG" || docname.startsWith("validation/");
    const reference = docname.startsWith("docs/api/") || docname.startsWith("docs/command/");
    return record || docname === "docs/errors-found" ? score / 2 : reference ? score - 2 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
