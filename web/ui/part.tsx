import { type ComponentType, useEffect, useState } from "react";
import { SIGNED_IN } from "../text/signed_in.ts";
import { FailedBox } from "./failed_box.tsx";

const TRY_AGAIN_MS = 5000;

interface PartOptions {
  /** Shows nothing while it does not come, and is tried again by itself. */
  isQuiet?: boolean;
  /** Is on its way as soon as the code around it runs, before anything is drawn. */
  isEarly?: boolean;
}

/**
 * A part of a screen in a chunk of its own. Unlike a lazy screen it takes nothing else down when its chunk does not
 * come: the rest goes on, and the part can be tried again.
 */
export function part<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isQuiet = false, isEarly = false }: PartOptions = {},
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  // Whether it came is asked when it is drawn.
  if (isEarly) load().catch(() => {});

  return function Part(props: Props) {
    const [attempt, setAttempt] = useState<{ error?: unknown }>({});
    useEffect(() => {
      if (Loaded || attempt.error) return;
      let isGone = false;
      load().then((component) => {
        Loaded = component;
        return {};
      }, (error) => ({ error })).then((next) => isGone || setAttempt(next));
      return () => void (isGone = true);
    }, [attempt]);
    useEffect(() => {
      if (!isQuiet || !attempt.error) return;
      const timer = setTimeout(() => setAttempt({}), TRY_AGAIN_MS);
      return () => clearTimeout(timer);
    }, [attempt]);
    if (Loaded) return <Loaded {...props} />;
    if (!attempt.error || isQuiet) return null;
    return <FailedBox title={SIGNED_IN.partFailed} error={attempt.error} onRetry={() => setAttempt({})} />;
  };
}
