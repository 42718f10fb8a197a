/** Applies the theme before the first paint; a separate file, because the content policy allows no inline script. */
import { applyStoredTheme } from "./ui/theme.ts";

applyStoredTheme();
