/** `deno task schema`: writes `edge/db/schema.sql` and `edge/db/hot_plans.txt`. */
import { printHotPlans } from "../testing/hot_plans.ts";
import { openTestDatabase } from "../testing/test_db.ts";
import { printSchema } from "./print_schema.ts";

await using database = await openTestDatabase();
await Deno.writeTextFile(new URL("./schema.sql", import.meta.url), await printSchema(database.db));
await Deno.writeTextFile(new URL("./hot_plans.txt", import.meta.url), await printHotPlans());
