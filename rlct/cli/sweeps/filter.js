// Show the rows that hold every part of the input; without a script all rows are there.
const input = document.getElementById("filter");
const shown = document.getElementById("shown");
const rows = [...document.querySelectorAll("tbody tr")].map((row) => [
  row,
  row.textContent.toLowerCase(),
]);

// A number is found as a whole: "rank 1" is not in "rank 10".
function pattern(part) {
  const text = part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const start = /^\d/.test(part) ? "(?<![\\d/])" : "";
  const end = /\d$/.test(part) ? "(?![\\d/])" : "";
  return new RegExp(start + text + end);
}

function filter() {
  const parts = input.value.toLowerCase().split(",").map((part) => part.trim());
  const patterns = parts.filter(Boolean).map(pattern);
  let count = 0;
  for (const [row, text] of rows) {
    row.hidden = !patterns.every((one) => one.test(text));
    count += !row.hidden;
  }
  shown.value = `${count} of ${rows.length} rows`;
}

input.addEventListener("input", filter);
document.querySelector(".filter").hidden = false;
filter();
