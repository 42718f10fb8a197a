import { useState } from "react";
import { useMedia } from "../../ui/use_media.ts";
import { useShortcut } from "../../ui/use_shortcut.ts";

const COOKIE = "sidebar_state";
const COOKIE_MAX_AGE_S = 7 * 24 * 60 * 60;
/** Under this width the rail is a sheet. */
const PHONE = "(width < 768px)";

export interface RailState {
  isPhone: boolean;
  /** True = wide with words, false = narrow with icons. */
  isExpanded: boolean;
  /** True while a phone shows the sheet. */
  isSheetOpen: boolean;
  toggle: () => void;
  closeSheet: () => void;
}

/** State of the rail: collapsed by default, stored in a cookie for 7 days, toggled by Ctrl or Cmd+B. */
export function useRail(): RailState {
  const isPhone = useMedia(PHONE);
  const [isExpanded, setExpanded] = useState(() =>
    document.cookie.split("; ").includes(`${COOKIE}=expanded`)
  );
  const [isSheetOpen, setSheetOpen] = useState(false);
  function toggle() {
    if (isPhone) return setSheetOpen(!isSheetOpen);
    const state = isExpanded ? "collapsed" : "expanded";
    document.cookie = `${COOKIE}=${state}; Path=/; Max-Age=${COOKIE_MAX_AGE_S}; SameSite=Lax`;
    setExpanded(!isExpanded);
  }
  useShortcut("KeyB", toggle);
  return { isPhone, isExpanded, isSheetOpen, toggle, closeSheet: () => setSheetOpen(false) };
}
