/** Dark or light: stored under the local-storage key `theme`, applied as `data-theme` on the page. */

export type Theme = "dark" | "light";

/** Applies the stored theme to the page; dark when none is stored or storage is blocked. */
export function applyStoredTheme(): void {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem("theme");
  } catch {
    // A browser that blocks storage gets the default theme.
  }
  document.documentElement.dataset.theme = stored === "light" ? "light" : "dark";
}

/** Returns the page's present theme. */
export function currentTheme(): Theme {
  return document.documentElement.dataset.theme === "light" ? "light" : "dark";
}

/** Switches to the other theme, stores it, and returns it. */
export function toggleTheme(): Theme {
  const theme: Theme = currentTheme() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
  return theme;
}
