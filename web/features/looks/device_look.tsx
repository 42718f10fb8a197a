import { useRef, useState } from "react";
import type { Looks } from "shared/looks_api.ts";
import { EXCEPTION_REASON_CHARS } from "shared/reason.ts";
import { ReasonDialog } from "../../ui/reason_dialog.tsx";
import { useBeginLooks } from "./begin_looks.ts";
import { CloseLook } from "./close_look.tsx";
import { StillScreen } from "./still_screen.tsx";
import { LOOK_REASON, LOOKS } from "./text.ts";
import { useIsOver } from "./use_is_over.ts";

interface DeviceLookProps {
  device: { id: number; name: string };
  onClose: () => void;
}

/** Asks why, and then shows the phone's screen until the person or the time ends it. */
export function DeviceLook({ device, onClose }: DeviceLookProps) {
  const [looks, setLooks] = useState<Looks>();
  const hasBegun = useRef(false);
  const begin = useBeginLooks([device.id], {
    onBegun(begun) {
      hasBegun.current = true;
      setLooks(begun);
    },
    onFailed: onClose,
  });
  if (looks) return <Shown looks={looks} device={device} onClose={onClose} />;
  return (
    <ReasonDialog
      words={LOOK_REASON}
      {...EXCEPTION_REASON_CHARS}
      busy={begin.isPending}
      onConfirm={(reason) => begin.mutate(reason)}
      // A browser also reports the close of a dialog that the screen replaced.
      onClose={() => hasBegun.current || onClose()}
    >
      <p className="mb-2 font-semibold">
        <bdi>{device.name}</bdi>
      </p>
    </ReasonDialog>
  );
}

function Shown({ looks: { looks: [look], until }, device, onClose }: DeviceLookProps & { looks: Looks }) {
  const isOver = useIsOver(until);
  return (
    <div className="mt-3">
      <div className="mx-auto max-w-64">
        <StillScreen look={look!.id} until={until} device={device.name} />
      </div>
      <p className="mt-2 text-sm text-ink-2">{isOver ? LOOKS.over : LOOKS.until(until)}</p>
      <CloseLook onClose={onClose} className="mt-3" />
    </div>
  );
}
