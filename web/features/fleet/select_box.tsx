import { DEVICES } from "../../text/admin_devices.ts";
import type { Selection } from "./selection.ts";

/** Chooses one phone for an act on several. */
export function SelectBox(
  { device, selection }: { device: { id: number; name: string }; selection: Selection },
) {
  return (
    <input
      type="checkbox"
      className="checkbox checkbox-sm shrink-0"
      aria-label={DEVICES.select(device.name)}
      checked={selection.has(device.id)}
      onChange={(event) => selection.set([device.id], event.currentTarget.checked)}
    />
  );
}
