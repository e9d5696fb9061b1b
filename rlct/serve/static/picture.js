// What the pictures share: elements, numbers as mathematics, curves in a frame.
const SVG = "http://www.w3.org/2000/svg";
const MATH = "http://www.w3.org/1998/Math/MathML";

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const html = (tag, attributes = {}, ...children) =>
  build(document.createElement(tag), attributes, children);
export const svg = (tag, attributes = {}, ...children) =>
  build(document.createElementNS(SVG, tag), attributes, children);
export const math = (tag, ...children) => build(document.createElementNS(MATH, tag), {}, children);

// An integer or a fraction "p/q".
export function fraction(text) {
  const [top, bottom] = text.split("/");
  const number = (digits) => math("mn", digits);
  return bottom ? math("mfrac", number(top), number(bottom)) : number(top);
}

export function equation(symbol, text) {
  return math("math", math("mi", symbol), math("mo", "="), fraction(text));
}

export function valueOf(text) {
  const [top, bottom] = text.split("/");
  return Number(top) / Number(bottom ?? 1);
}

export const short = (value) => String(Number(value.toPrecision(3)));

// 0.01 as "10^-2" reads badly aloud: both forms, one to look at and one to hear.
export function powerOfTen(exponent) {
  const digits = exponent.toFixed(1).replace(/\.0$/, "").replace("-", "−");
  return math("math", math("msup", math("mn", "10"), math("mn", digits)));
}

const FRAME = { width: 420, height: 320, left: 64, right: 12, top: 12, bottom: 44 };

// A frame with curves; returns the element and `mark`, which moves the upright line to x.
export function chart({ label, xLabel, yLabel, xRange, yRange, curves }) {
  const { width, height, left, right, top, bottom } = FRAME;
  const across = (x) => left + ((x - xRange[0]) / (xRange[1] - xRange[0])) * (width - left - right);
  const up = (y) =>
    height - bottom - ((y - yRange[0]) / (yRange[1] - yRange[0])) * (height - top - bottom);
  const inner = { x: left, y: top, width: width - left - right, height: height - top - bottom };
  const parts = [svg("rect", { ...inner, class: "frame" })];
  for (const x of ticks(xRange)) {
    parts.push(svg("line", { x1: across(x), x2: across(x), y1: up(yRange[0]), y2: top, class: "grid" }));
    parts.push(svg("text", { x: across(x), y: height - bottom + 18, class: "middle" }, short(x)));
  }
  for (const y of ticks(yRange)) {
    parts.push(svg("line", { x1: left, x2: width - right, y1: up(y), y2: up(y), class: "grid" }));
    parts.push(svg("text", { x: left - 7, y: up(y) + 5, class: "end" }, short(y)));
  }
  parts.push(svg("text", { x: (left + width) / 2, y: height - 6, class: "middle" }, xLabel));
  parts.push(
    svg("text", { transform: `translate(14 ${(height - bottom) / 2}) rotate(-90)`, class: "middle" }, yLabel),
  );
  for (const { points, style } of curves) {
    const inside = points.filter(([, y]) => y >= yRange[0] && y <= yRange[1]);
    const path = inside.map(([x, y]) => `${across(x).toFixed(1)},${up(y).toFixed(1)}`).join(" ");
    parts.push(svg("polyline", { points: path, class: `curve ${style}` }));
  }
  const marker = svg("line", { y1: top, y2: height - bottom, class: "marker" });
  const element = svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "chart" },
    ...parts,
    marker,
  );
  const mark = (x) => build(marker, { x1: across(x), x2: across(x) }, []);
  return { element, mark };
}

function ticks([low, high]) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((s) => (high - low) / s <= 7) ?? high - low;
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) found.push(at);
  return found;
}

export function legend(...entries) {
  const items = entries.map(([style, ...words]) =>
    html("li", {}, html("span", { class: `swatch ${style}`, "aria-hidden": "true" }), ...words),
  );
  return html("ul", { class: "legend" }, ...items);
}

export function slider(label, attributes, changed) {
  const input = html("input", { type: "range", ...attributes });
  input.addEventListener("input", () => changed(Number(input.value)));
  return { input, element: html("label", { class: "slider" }, label, input) };
}
