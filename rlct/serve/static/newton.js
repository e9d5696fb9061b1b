// A Newton polygon whose exponents move: the pair of the monomial ideal moves with them.
import { equation, html, svg } from "./picture.js";

const SIZE = 420;
const EDGE = 34;
const MOST = 40; // the largest exponent; the program sends no larger ones
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// Corners of the polygon, from the upper left to the lower right.
export function corners(exponents) {
  const hull = [];
  let low = Infinity;
  for (const [x, y] of [...exponents].sort((p, q) => p[0] - q[0] || p[1] - q[1])) {
    if (y >= low) continue;
    low = y;
    while (hull.length > 1) {
      const [[ax, ay], [bx, by]] = hull.slice(-2);
      if ((bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0) break; // (b) is a corner
      hull.pop();
    }
    hull.push([x, y]);
  }
  return hull;
}

function divisor(a, b) {
  return b ? divisor(b, a % b) : a;
}

// The pair of Σ |x|^(factor·exponent) under the prior |x|^h, exactly; ray/scale = 1 + h.
// The polygon is {v·a ≥ m} over its sides (v, m).  The ray t·(1 + h) enters it where
// t = max m/(v·(1 + h)); λ = 1/(factor·t), and θ is the number of sides that meet there.
export function monomialPair(exponents, ray, scale, factor) {
  const hull = corners(exponents);
  const sides = [
    [1, 0, hull[0][0]],
    [0, 1, hull.at(-1)[1]],
  ];
  for (let k = 1; k < hull.length; k += 1) {
    const [p, q] = [hull[k - 1], hull[k]];
    const v = [p[1] - q[1], q[0] - p[0]];
    sides.push([...v, v[0] * p[0] + v[1] * p[1]]);
  }
  let best = null;
  let theta = 0;
  for (const [v, w, m] of sides) {
    if (!m) continue;
    const top = v * ray[0] + w * ray[1];
    const order = best ? top * best.m - best.top * m : -1;
    if (order < 0) best = { top, m };
    if (order <= 0) theta = order < 0 ? 1 : theta + 1;
  }
  if (!best) return null;
  const bottom = best.m * scale * factor;
  const common = divisor(best.top, bottom);
  const lambda = [best.top / common, bottom / common].filter((n, k) => k === 0 || n > 1).join("/");
  const t = (best.m * scale) / best.top;
  return { lambda, theta, entry: [(t * ray[0]) / scale, (t * ray[1]) / scale] };
}

function monomial(names, exponent) {
  const factors = names.map((name, k) => [name, exponent[k]]).filter(([, e]) => e);
  return factors.map(([name, e]) => (e > 1 ? `${name}^${e}` : name)).join("*");
}

// The question whose answer is the pair shown, None if there is none in this form.
function question(numbers, exponents) {
  const terms = exponents.map((e) => monomial(numbers.names, e));
  if (numbers.scale !== 1 || numbers.ray.some((c) => c !== 1)) return null;
  if (numbers.factor === 2) return { kind: "ideal", generators: terms.join("\n") };
  const even = exponents.every((e) => e.every((n) => n % 2 === 0));
  return even ? { kind: "poly", K: terms.join(" + ") } : null;
}

export function showPolygon(place, numbers) {
  const squares = numbers.factor === 2;
  let exponents;
  let size;
  const drawing = svg("g");
  const handles = svg("g");
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "group", "aria-label": "Newton polygon", class: "chart" },
    drawing,
    handles,
  );
  const value = html("p", { class: "moving" });
  const said = html("p", { role: "status", class: "quiet" });
  const link = html("a");

  const unit = () => (SIZE - 2 * EDGE) / size;
  const across = (x) => EDGE + x * unit();
  const up = (y) => SIZE - EDGE - y * unit();

  function draw() {
    const found = monomialPair(exponents, numbers.ray, numbers.scale, numbers.factor);
    const hull = corners(exponents);
    const outline = [[hull[0][0], size], ...hull, [size, hull.at(-1)[1]]];
    const path = (points) => points.map(([x, y]) => `${across(x)},${up(y)}`).join(" ");
    const reach = Math.min(size / numbers.ray[0], size / numbers.ray[1]);
    const end = numbers.ray.map((c) => c * reach);
    const step = Math.ceil(size / 10);
    const parts = [];
    for (let k = 0; k <= size; k += step) {
      parts.push(svg("line", { x1: across(k), x2: across(k), y1: up(0), y2: up(size), class: "grid" }));
      parts.push(svg("line", { x1: across(0), x2: across(size), y1: up(k), y2: up(k), class: "grid" }));
      parts.push(svg("text", { x: across(k), y: SIZE - EDGE + 18, class: "middle" }, k));
      if (k) parts.push(svg("text", { x: EDGE - 7, y: up(k) + 5, class: "end" }, k));
    }
    parts.push(svg("polygon", { points: path([...outline, [size, size]]), class: "region" }));
    parts.push(svg("polyline", { points: path(outline), class: "curve strong" }));
    parts.push(svg("polyline", { points: path([[0, 0], end]), class: "curve exact" }));
    const [x, y] = found.entry;
    parts.push(svg("circle", { cx: across(x), cy: up(y), r: 6, class: "entry" }));
    drawing.replaceChildren(...parts);
    exponents.forEach((exponent, k) => move(handles.children[k], exponent));
    const terms = exponents.map((e) => monomial(numbers.names, e));
    const what = squares ? `the ideal ${terms.join(", ")}` : `K = |${terms.join("| + |")}|`;
    value.replaceChildren(equation("λ", found.lambda), " ", equation("θ", String(found.theta)));
    said.textContent = `λ = ${found.lambda}, θ = ${found.theta} for ${what}.`;
    const asked = question(numbers, exponents);
    link.hidden = !asked;
    if (asked) link.href = `?${new URLSearchParams(asked)}#answer`;
  }

  function move(handle, [x, y]) {
    handle.setAttribute("transform", `translate(${across(x)} ${up(y)})`);
    handle.setAttribute("aria-label", `Exponent (${x}, ${y}); arrow keys move it, Delete removes it`);
    handle.lastChild.textContent = `(${x}, ${y})`;
  }

  function put(index, x, y) {
    const whole = [x, y].map((n) => Math.min(MOST, Math.max(0, Math.round(n))));
    if (!whole[0] && !whole[1]) return; // K would not be 0 there
    exponents[index] = whole;
    size = Math.max(size, ...whole);
    draw();
  }

  function handle(index) {
    const shape = svg("circle", { r: 9, class: "handle" });
    const target = svg("circle", { r: 22, class: "target" }); // for a finger
    const words = svg("text", { x: 12, y: -10 });
    const element = svg("g", { tabindex: "0", role: "button", class: "grip" }, target, shape, words);
    element.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (step) put(index, exponents[index][0] + step[0], exponents[index][1] + step[1]);
      else if (event.key === "Delete" || event.key === "Backspace") remove(index);
      else return;
      event.preventDefault();
    });
    element.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      element.focus({ preventScroll: true });
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener("pointermove", (event) => {
      if (!element.hasPointerCapture(event.pointerId)) return;
      const box = picture.getBoundingClientRect();
      const pixels = SIZE / box.width;
      const [right, below] = [(event.clientX - box.left) * pixels, (event.clientY - box.top) * pixels];
      const [x, y] = [(right - EDGE) / unit(), (SIZE - EDGE - below) / unit()];
      put(index, Math.min(x, size), Math.min(y, size));
    });
    return element;
  }

  function start(points) {
    exponents = points.map((e) => [...e]);
    size = Math.max(6, ...exponents.flat().map((n) => n + 1));
    handles.replaceChildren(...exponents.map((_, k) => handle(k)));
    draw();
  }

  function remove(index) {
    if (exponents.length === 1) return;
    start(exponents.filter((_, k) => k !== index));
    handles.children[Math.min(index, exponents.length - 1)].focus();
  }

  const button = (words, action) => {
    const element = html("button", { type: "button", class: "second" }, words);
    element.addEventListener("click", action);
    return element;
  };
  link.textContent = "Ask the program this";
  start(numbers.exponents);
  place.replaceChildren(
    html(
      "p",
      {},
      "Move the exponents, with the mouse or the arrow keys. The value is that of ",
      squares ? "the ideal of the monomials" : "the sum of the monomials' absolute values",
      ": it depends on the polygon alone, whatever the coefficients are. ",
      numbers.agrees
        ? "At the start it is the λ and θ of the question, as proved above."
        : "Terms of the question may cancel on a side of its polygon: its λ is at most the value at the start.",
      numbers.local
        ? " Here each variable is measured from the point, and a variable x ≥ 0 stands for √x."
        : "",
    ),
    picture,
    value,
    said,
    html(
      "p",
      { class: "buttons" },
      button("Add an exponent", () => {
        start([...exponents, [size - 1, size - 1]]);
        handles.lastChild.focus();
      }),
      button("Back to the question", () => start(numbers.exponents)),
      link,
    ),
  );
}
