/* What scrolls sideways is reached by the keyboard, too. */
addEventListener("load", () => {
  for (const box of document.querySelectorAll("pre, .table-wrapper, .cell_output, mjx-container")) {
    if (box.scrollWidth > box.clientWidth) {
      box.tabIndex = 0;
    }
  }
});
