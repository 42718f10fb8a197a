import { MonitorSmartphone } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import type { DeviceDetail } from "shared/admin_api.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { DEVICE_SCREEN } from "../../text/admin_devices.ts";
import { lazyPart } from "../../ui/lazy_part.tsx";

const DeviceLook = lazyPart(async () => (await import("../../features/looks/device_look.tsx")).DeviceLook);

/** The offer to see the phone's screen, and then the screen itself. */
export function DeviceScreen({ device }: { device: DeviceDetail }) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <section className="sheet p-5" aria-labelledby="device-screen-h">
      <h2 id="device-screen-h" className="font-bold">{DEVICE_SCREEN.heading}</h2>
      <p className="mt-1 text-sm text-ink-2">{DEVICE_SCREEN.teaching}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {!isOpen && (
          <button
            ref={opener}
            type="button"
            className="btn btn-ghost btn-sm border-base-300"
            onClick={() => setOpen(true)}
          >
            <MonitorSmartphone className="size-4" />
            {DEVICE_SCREEN.open}
          </button>
        )}
        <Link to={ADMIN_PATHS.siteScreens(device.site.id)} className="btn btn-ghost btn-sm">
          {DEVICE_SCREEN.allOfSite}
        </Link>
      </div>
      {isOpen && <DeviceLook device={device} onClose={() => setOpen(false)} />}
    </section>
  );
}
