"use strict";
// "/" goes to the search field, as on many sites; everything else works without a script.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = document.querySelector("input[type=search]");
  if (field) {
    event.preventDefault();
    field.focus();
  }
});
