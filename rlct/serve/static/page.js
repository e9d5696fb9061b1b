// The page works without scripts; with them, work in progress is shown and pictures can be moved.
import { showEnergy } from "./energy.js";
import { showPolygon } from "./newton.js";
import { showVolume } from "./volume.js";

const PICTURES = { energy: showEnergy, newton: showPolygon, volume: showVolume };

// While an answer is worked out: say so, and let it be stopped.
function watch(form) {
  const progress = document.getElementById("progress");
  const said = document.getElementById("said");
  const button = document.getElementById("ask");
  let timer = 0;

  function rest(words) {
    clearInterval(timer);
    timer = 0;
    progress.textContent = "";
    said.textContent = words;
    button.textContent = "Ask";
  }

  form.addEventListener("submit", (event) => {
    if (timer) {
      // The button says Stop now: the server sees that nobody waits any more.
      event.preventDefault();
      window.stop();
      rest("Stopped.");
      return;
    }
    const began = Date.now();
    timer = setInterval(() => {
      const seconds = Math.floor((Date.now() - began) / 1000);
      progress.textContent = `${seconds} s, at most ${form.dataset.seconds} s`;
      button.textContent = "Stop";
      if (said.textContent !== "Working.") said.textContent = "Working."; // read out once
    }, 1000);
  });

  // The way back in the history shows the page as it was left.
  window.addEventListener("pageshow", () => rest(""));
}

// Once for what is shown; a page that changes without being loaded says when it did.
export function enliven() {
  const form = document.querySelector("form[data-seconds]");
  if (form) watch(form);
  for (const place of document.querySelectorAll("[data-picture]")) {
    PICTURES[place.dataset.picture](place, JSON.parse(place.dataset.numbers));
  }
}

enliven();
