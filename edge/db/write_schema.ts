/** `deno task schema`: writes `edge/db/schema.sql`. */
import { openTestDatabase } from "../testing/test_db.ts";
import { printSchema } from "./print_schema.ts";

await using database = await openTestDatabase();
await Deno.writeTextFile(new URL("./schema.sql", import.meta.url), await printSchema(database.db));
