import { failureOf } from './failure.ts';
import { runProgram } from './program.ts';
import type { World } from './world.ts';

/** Runs one command line; its exit code. Never throws: whatever goes wrong is one line. */
export async function main(args: readonly string[], world: World): Promise<number> {
  try {
    return await runProgram(expandVersion(args), world);
  } catch (error) {
    const { line, more, exitCode } = await failureOf(error);
    world.err.write(`${line}\n`);
    if (args.includes('--verbose')) for (const one of more) world.err.write(`  ${one}\n`);
    return exitCode;
  }
}

/** `--version` is what people try first; as a flag of every command it would hide their own. */
function expandVersion(args: readonly string[]): readonly string[] {
  const [first, ...rest] = args;
  return first === '--version' || first === '-V' ? ['version', ...rest] : args;
}
