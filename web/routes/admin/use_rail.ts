import { useState } from "react";
import { useMedia } from "../../ui/use_media.ts";
import { useShortcut } from "../../ui/use_shortcut.ts";

const COOKIE = "sidebar_state";
const COOKIE_MAX_AGE_S = 7 * 24 * 60 * 60;
/** Under this width the rail is a sheet. */
const PHONE = "(width < 768px)";

export interface RailState {
  isPhone: boolean;
  /** Wide with words, or narrow with icons. */
  isExpanded: boolean;
  /** The sheet of a phone. */
  isSheetOpen: boolean;
  toggle: () => void;
  closeSheet: () => void;
}

/** The rail: collapsed until a cookie says otherwise, kept in that cookie for 7 days, toggled by Ctrl or Cmd+B. */
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
