/** Dark or light: kept under the local-storage key `theme`, shown by `data-theme` on the page. */

export type Theme = "dark" | "light";

/** Puts the stored theme on the page; dark when none is stored or storage is closed to us. */
export function applyStoredTheme(): void {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem("theme");
  } catch {
    // A browser that blocks storage still gets the default theme.
  }
  document.documentElement.dataset.theme = stored === "light" ? "light" : "dark";
}

/** The theme the page shows now. */
export function currentTheme(): Theme {
  return document.documentElement.dataset.theme === "light" ? "light" : "dark";
}

/** Switches to the other theme, remembers it, and returns it. */
export function toggleTheme(): Theme {
  const theme: Theme = currentTheme() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Nothing to remember it in: the choice holds until the page is left.
  }
  return theme;
}
