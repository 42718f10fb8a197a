import type { Part } from "./figure.ts";
import { measureScreens } from "./screens.ts";

export const screens: Part = {
  name: "screens",
  about: "P6: scripts and styles of the first screens, built as they ship, brotli 11",
  async *measure(): AsyncGenerator<string> {
    yield* await measureScreens();
  },
};
