/** Configures fast-check with the seed of the run; a failure prints that seed. */
import fc from "fast-check";
import { SEED } from "./seed.ts";

// fast-check uses 32 bits of a seed.
fc.configureGlobal({ seed: SEED | 0 });

export default fc;
