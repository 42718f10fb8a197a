import { useEffect } from "react";
import { focusHeading } from "./lost_focus.ts";

let screensShown = 0;

/** Sets the page title, and on every screen after the first moves the focus to its heading, like a page load. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    screensShown += 1;
    if (screensShown === 1) return;
    scrollTo(0, 0);
    focusHeading();
  }, []);
}
