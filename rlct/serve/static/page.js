// While an answer is worked out: say so, and let it be stopped. The page works without this.
"use strict";

const form = document.querySelector("form");

function watch() {
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
      if (seconds === 1) said.textContent = "Working.";
    }, 1000);
  });

  // The way back in the history shows the page as it was left.
  window.addEventListener("pageshow", () => rest(""));
}

if (form) watch();
