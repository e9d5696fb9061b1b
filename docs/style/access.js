/* What scrolls sideways is reached by the keyboard, and a heading says its level. */
const isWide = (box) => {
  const formula = box.matches(".math") && box.querySelector("mjx-math");
  const width = formula ? formula.getBoundingClientRect().width : box.scrollWidth;
  return width > box.clientWidth + 2;
};

const reach = () => {
  for (const box of document.querySelectorAll("pre, .table-wrapper, .cell_output, .math")) {
    if (isWide(box)) {
      box.classList.add("wide");
      box.tabIndex = 0;
    }
  }
};

addEventListener("load", () => {
  for (const caption of document.querySelectorAll("[role=heading]:not([aria-level])")) {
    caption.ariaLevel = 2;
  }
  reach();
  window.MathJax?.startup?.promise.then(reach);
});
