// Makes target/NAME.mjs of each NAME.ts here: takes the types off, and leaves the rest as it is. Node does it by itself from
// 22.13 on; for an older one TypeScript has to be installed, here (npm install typescript) or so that `tsc` is in PATH.
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { delimiter, join } from "node:path";

function typescript() {
  const require = nodeModule.createRequire(import.meta.url);
  const commands = process.env.PATH.split(delimiter).map((folder) => join(folder, "tsc")).filter(existsSync);
  const besides = commands.map((command) => join(realpathSync(command), "../../lib/typescript.js"));
  for (const place of ["typescript", ...besides]) {
    try {
      return require(place);
    } catch {
      // Not there: the next place may have it.
    }
  }
  console.error(`node ${process.version} cannot take types off: use node 22.13 or newer, or install TypeScript`);
  process.exit(1);
}

function compiler() {
  if (nodeModule.stripTypeScriptTypes) return (source) => nodeModule.stripTypeScriptTypes(source);
  const ts = typescript();
  const compilerOptions = { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022 };
  return (source) => ts.transpileModule(source, { compilerOptions }).outputText;
}

const compile = compiler();
mkdirSync("target", { recursive: true });
for (const file of readdirSync(".").filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))) {
  writeFileSync(join("target", file.replace(/\.ts$/, ".mjs")), compile(readFileSync(file, "utf8")));
}
