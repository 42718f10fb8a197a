import type { InArgs, InValue, ResultSet, Row, Value } from "@libsql/client/web";
import type { SQLInputValue, SQLOutputValue } from "node:sqlite";

/**
 * Returns arguments as `node:sqlite` binds them.
 *
 * @throws RangeError for NaN and infinities; TypeError for `undefined`
 */
export function toBoundArgs(args: InArgs): SQLInputValue[] | Record<string, SQLInputValue> {
  if (Array.isArray(args)) return args.map(toBoundValue);
  const bound: Record<string, SQLInputValue> = {};
  for (const name of Object.keys(args)) bound[name] = toBoundValue(args[name]);
  return bound;
}

/**
 * A row in libSQL's shape: enumerable by name, where the first of equal names counts. It is also readable by index;
 * no name may be a number. The prototype defines the indexes: defining each on each row takes five times as long.
 */
export class SqliteRow {
  [name: string]: Value;
  [index: number]: Value;
  static #indexes = 0;
  readonly #values: Value[];

  constructor(values: SQLOutputValue[], columns: readonly string[]) {
    this.#values = values.map(fromBoundValue);
    SqliteRow.#grow(columns.length);
    for (let index = 0; index < columns.length; index++) {
      const name = columns[index];
      if (!(name in this)) this[name] = this.#values[index];
    }
  }

  get length(): number {
    return this.#values.length;
  }

  static #grow(columns: number): void {
    for (; this.#indexes < columns; this.#indexes++) {
      const index = this.#indexes;
      Object.defineProperty(this.prototype, index, {
        get(this: SqliteRow) {
          return this.#values[index];
        },
      });
    }
  }
}

/** The result of a statement, with the JSON form of libSQL's own result. */
export class SqliteResult implements ResultSet {
  constructor(
    readonly columns: string[],
    readonly columnTypes: string[],
    readonly rows: Row[],
    readonly rowsAffected: number,
    readonly lastInsertRowid: bigint | undefined,
  ) {}

  toJSON(): unknown {
    return {
      columns: this.columns,
      columnTypes: this.columnTypes,
      rows: this.rows.map((row) => Array.from(row as unknown as ArrayLike<Value>)),
      rowsAffected: this.rowsAffected,
      lastInsertRowid: this.lastInsertRowid?.toString() ?? null,
    };
  }
}

function toBoundValue(value: InValue): SQLInputValue {
  switch (typeof value) {
    case "string":
      return value;
    case "bigint":
      if (BigInt.asIntN(64, value) !== value) throw new RangeError("Cannot bind an integer beyond 64 bits");
      return value;
    case "number":
      // SQLite would store these as NULL. A finite number is bound as REAL, here and by the remote client. An INTEGER
      // column converts it back; a bare expression such as `? / 2` does not.
      if (!Number.isFinite(value)) throw new RangeError(`Cannot bind the number ${value}: it is not finite`);
      return value;
    case "boolean":
      return value ? 1n : 0n;
    case "undefined":
      throw new TypeError("Cannot bind undefined: use null");
  }
  if (value instanceof Date) return value.valueOf();
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return value;
}

function fromBoundValue(value: SQLOutputValue): Value {
  if (!(value instanceof Uint8Array)) return value;
  return value.slice().buffer as ArrayBuffer;
}
