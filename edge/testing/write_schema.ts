/** `deno task schema`: writes `edge/db/schema.sql` and `edge/db/hot_plans.txt`. */
import { printHotPlans } from "./hot_plans.ts";
import { openTestDatabase } from "./test_db.ts";
import { printSchema } from "../db/print_schema.ts";

await using database = await openTestDatabase();
await Deno.writeTextFile(new URL("../db/schema.sql", import.meta.url), await printSchema(database.db));
await Deno.writeTextFile(new URL("../db/hot_plans.txt", import.meta.url), await printHotPlans());
