import { Moon, Sun } from "lucide-react";
import { useState } from "react";
import { SHELL } from "../text/shell.ts";
import { currentTheme, toggleTheme } from "./theme.ts";

interface ThemeToggleProps {
  /** Classes for the quiet look on the deck, or on paper. */
  className?: string;
}

/** Switches between dark and light; its label names the theme it switches to. */
export function ThemeToggle({ className = "deck-btn" }: ThemeToggleProps) {
  const [theme, setTheme] = useState(currentTheme);
  const label = theme === "dark" ? SHELL.toLight : SHELL.toDark;
  return (
    <button
      type="button"
      className={`btn btn-ghost btn-square btn-sm ${className}`}
      aria-label={label}
      title={label}
      onClick={() => setTheme(toggleTheme())}
    >
      {theme === "dark" ? <Sun className="size-[1.125rem]" /> : <Moon className="size-[1.125rem]" />}
    </button>
  );
}
