import type { DeviceDetail } from "shared/admin_api.ts";
import { UNKNOWN_SCREEN } from "../../text/admin_devices.ts";

interface UnknownScreenProps {
  screen: NonNullable<DeviceDetail["accounts"][number]["unknownScreen"]>;
  version: string | null;
}

/** What the site saw of a screen that it does not know, for the person who writes a screen file: no word of it. */
export function UnknownScreen({ screen, version }: UnknownScreenProps) {
  const facts: [label: string, value: string][] = [
    [UNKNOWN_SCREEN.version, version ?? ""],
    [UNKNOWN_SCREEN.window, screen.window],
    [UNKNOWN_SCREEN.ids, screen.ids.join(" ")],
    [UNKNOWN_SCREEN.fingerprint, screen.fingerprint],
  ];
  return (
    <details className="mt-1 text-sm">
      <summary className="cursor-pointer text-ink-2">{UNKNOWN_SCREEN.details}</summary>
      <dl className="mt-1 grid gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr]">
        {facts.filter(([, value]) => value !== "").map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-ink-3">{label}</dt>
            <dd className="min-w-0 break-words">
              <bdi dir="ltr">{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-1 text-ink-2">{UNKNOWN_SCREEN.hidden}</p>
      {UNKNOWN_SCREEN.commands.map((command) => (
        <p key={command} className="mt-1">
          <code dir="ltr">{command}</code>
        </p>
      ))}
    </details>
  );
}
