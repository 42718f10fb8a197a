/** The settings of a phone that a person makes at the desk, and how the phone answers when a command asks for them. */

export interface DeskSettings {
  /** Without a PIN; see PhoneTraits.hasPin for a phone with one. */
  lock: "none" | "swipe";
  batterySaver: boolean;
  /** Scale of the three animations. */
  animations: string;
  /** The messaging apps are exempt from battery optimisation. */
  isExempt: boolean;
  /** Modes of app operations. */
  background: "allow" | "ignore";
  notifications: "allow" | "ignore";
  pausesUnused: boolean;
  dataSaver: boolean;
  /** The messaging apps may use no data in the background. */
  isDataDenied: boolean;
  /** The id of its network; none = it has none. */
  network: string;
  /** Only Android 8 to 10 have it. Null = never set. */
  wifiSleepPolicy: string | null;
  hasAutomaticTime: boolean;
  /** Seconds by which its clock is ahead. */
  clockAheadS: number;
  updatesItself: boolean;
  freeMemoryMb: number;
  /** Xiaomi's "USB debugging (Security settings)"; "" = another maker, or off. */
  adbInput: string;
  /** As in system_locales; null = that of its screens. */
  locales: string | null;
  /** How the phone answers questions for settings. */
  answers: "well" | "nonsense" | "flood" | "hangs";
}

/** Returns the settings of a phone that was prepared by the page beside the desk. */
export function preparedDesk(manufacturer: string): DeskSettings {
  return {
    lock: "none",
    batterySaver: false,
    animations: "0.0",
    isExempt: true,
    background: "allow",
    notifications: "allow",
    pausesUnused: false,
    dataSaver: false,
    isDataDenied: false,
    network: "101",
    wifiSleepPolicy: "2",
    hasAutomaticTime: true,
    clockAheadS: 0,
    updatesItself: false,
    freeMemoryMb: 1603,
    adbInput: manufacturer === "Xiaomi" ? "1" : "",
    locales: null,
    answers: "well",
  };
}
