import { useEffect } from "react";

/** Shows the page as on paper, in the light theme, while it is open; the stored theme does not change. */
export function usePaperTheme(): void {
  useEffect(() => {
    const page = document.documentElement;
    const before = page.dataset.theme;
    page.dataset.theme = "light";
    return () => {
      if (before !== undefined) page.dataset.theme = before;
    };
  }, []);
}
