import { type ComponentType, useEffect, useState } from "react";
import { SIGNED_IN } from "../text/signed_in.ts";
import { FailedBox } from "./failed_box.tsx";

const TRY_AGAIN_MS = 5000;

interface LazyPartOptions {
  /** Shows nothing after a failed load, and retries by itself. */
  isQuiet?: boolean;
  /** Starts to load as soon as the surrounding code runs, before rendering. */
  isEarly?: boolean;
}

/**
 * Returns a part of a screen in its own chunk. Unlike a lazy screen, a failed chunk breaks nothing else: the
 * screen keeps working, and the part can be retried.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isQuiet = false, isEarly = false }: LazyPartOptions = {},
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  // An early failure is ignored here; rendering reports it.
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
