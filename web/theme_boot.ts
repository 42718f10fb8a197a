/** Runs before the first paint, as its own file because the content policy allows no inline script. */
import { applyStoredTheme } from "./ui/theme.ts";

applyStoredTheme();
