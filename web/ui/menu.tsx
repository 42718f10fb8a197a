import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";

interface MenuProps {
  /** Name of the button that opens it. */
  label: string;
  /** Content of that button. */
  children: ReactNode;
  className?: string;
  items: readonly MenuItem[];
}

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  isDestructive?: boolean;
  onChoose: () => void;
}

interface Place {
  left: number;
  top: number;
}

const MENU_WIDTH_PX = 208;
const ITEM_PX = 42;

/** A button with a menu (WAI-ARIA menu button): arrows move, Escape closes, and the focus returns to the button. */
export function Menu({ label, children, className = "btn btn-ghost btn-square btn-sm", items }: MenuProps) {
  const [place, setPlace] = useState<Place>();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!place) return;
    list.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const close = () => setPlace(undefined);
    const { top, left } = button.current!.getBoundingClientRect();
    // The list has a fixed position, so it closes when the page scrolls.
    function onScroll() {
      const now = button.current!.getBoundingClientRect();
      if (now.top !== top || now.left !== left) close();
    }
    function onPointerDown({ target }: PointerEvent) {
      if (!list.current?.contains(target as Node) && !button.current?.contains(target as Node)) close();
    }
    document.addEventListener("pointerdown", onPointerDown);
    document.addEventListener("scroll", onScroll, { capture: true, passive: true });
    addEventListener("resize", close);
    return () => {
      document.removeEventListener("pointerdown", onPointerDown);
      document.removeEventListener("scroll", onScroll, { capture: true });
      removeEventListener("resize", close);
    };
  }, [place]);

  function close() {
    setPlace(undefined);
    button.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const entries = [...list.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? []];
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1 + entries.length,
      Home: 0,
      End: entries.length - 1,
    };
    if (event.key in moves) entries[moves[event.key] % entries.length].focus();
    else if (event.key === "Escape") close();
    else {
      if (event.key === "Tab") setPlace(undefined);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={place !== undefined}
        onClick={() => setPlace(place ? undefined : placeUnder(button.current!, items.length))}
      >
        {children}
      </button>
      {place && (
        <div
          ref={list}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          className="fixed z-40 flex flex-col rounded-box border border-base-300 bg-base-100 p-1 shadow-lg"
          style={{ ...place, width: MENU_WIDTH_PX }}
          onKeyDown={onKeyDown}
        >
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={`btn btn-ghost justify-start gap-2.5 font-medium ${
                item.isDestructive ? "tone-bad text-tone" : ""
              }`}
              onClick={() => {
                close();
                item.onChoose();
              }}
            >
              {item.icon}
              {item.label}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

/** Returns a place under the button and inside the window; above the button when there is no room below. */
function placeUnder(button: HTMLElement, items: number): Place {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const height = items * ITEM_PX + 12;
  const below = bottom + 4 + height <= innerHeight;
  const leftmost = left + MENU_WIDTH_PX + 8 <= innerWidth ? left : right - MENU_WIDTH_PX;
  return { left: Math.max(8, leftmost), top: below ? bottom + 4 : Math.max(8, top - height - 4) };
}
