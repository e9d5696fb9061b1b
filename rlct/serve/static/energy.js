// What the parameters cost in the free energy: λ log n − (θ − 1) log log n beside d/2 log n.
import { chart, html, legend, powerOfTen, short, slider, valueOf } from "./picture.js";

const FIRST = 0.5; // log10 n: below 3 data log log n is negative
const LAST = 9;

export function cost(lambda, theta, log10n) {
  const log = log10n * Math.LN10;
  return lambda * log - (theta - 1) * Math.log(log);
}

export function showEnergy(place, { pairs, half }) {
  const steps = Array.from({ length: 86 }, (_, k) => FIRST + ((LAST - FIRST) * k) / 85);
  const rows = pairs.map(({ lambda, theta, name }, k) => ({
    name: `${name}${theta > 1 ? "λ log n − (θ − 1) log log n" : "λ log n"}, λ = ${lambda}, θ = ${theta}`,
    style: k ? "dotted" : "strong",
    at: (x) => cost(valueOf(lambda), theta, x),
  }));
  if (half !== null) {
    const at = (x) => cost(valueOf(half), 1, x);
    rows.push({ name: `d/2 log n of a regular model, d/2 = ${half}`, style: "exact", at });
  }
  const curves = rows.map(({ style, at }) => ({ style, points: steps.map((x) => [x, at(x)]) }));
  const heights = curves.flatMap(({ points }) => points.map(([, y]) => y));
  const { element, mark } = chart({
    label: `Free energy over the number of data: ${rows.map((row) => row.name).join("; ")}`,
    xLabel: "log₁₀ n",
    yLabel: "cost in nats",
    xRange: [FIRST, LAST],
    yRange: [Math.min(0, ...heights), Math.max(...heights)],
    curves,
  });
  const said = html("p", { class: "reading" });
  const { input, element: control } = slider(
    "Number of data n",
    { min: FIRST, max: LAST, step: 0.1, value: 4 },
    show,
  );

  function show(x) {
    mark(x);
    const costs = rows.map((row) => short(row.at(x)));
    input.setAttribute("aria-valuetext", `n = ${Math.round(10 ** x)}: ${costs.join(" and ")}`);
    said.replaceChildren("n = ", powerOfTen(x), `: ${costs.join(" and ")} nats.`);
  }

  show(4);
  place.replaceChildren(element, control, said, legend(...rows.map((row) => [row.style, row.name])));
}
