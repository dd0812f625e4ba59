import { Command, CommanderError, Option } from 'commander';
import { EXIT, UsageError } from './failure.ts';
import type { Flag, Row } from './row.ts';
import { GLOBAL_FLAGS, GROUPS, ROWS } from './rows.ts';
import { type FlagValue, Use } from './use.ts';
import type { World } from './world.ts';

const ABOUT =
  'Agent-Reach: the layer through which AI agents and downstream systems reach each other.';

const EXAMPLES = `
Examples:
  reach serve                                     run a gateway on 8080 and 8081
  reach manifest check agent.yaml                 may this agent join?
  reach agents register agent.yaml                let it join
  reach call query_order_status --param order_no=ORD1
  reach tasks submit render_report --param month:=3 --wait
  reach trace call_01k…                           where the time went
  reach diagnose order-query-agent                why it cannot be reached

Exit codes: 1 the command failed, 2 it is written wrongly, 3 there is no gateway.
`;

/** Runs the command that the arguments name. Throws what it throws; help is no failure. */
export async function runProgram(args: readonly string[], world: World): Promise<number> {
  const run: Run = { world, exitCode: EXIT.ok };
  const program = buildProgram(run);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return exitOf(error);
    throw error;
  }
  return run.exitCode;
}

interface Run {
  world: World;
  exitCode: number;
}

function buildProgram(run: Run): Command {
  const { out, err } = run.world;
  const program = new Command('reach')
    .description(ABOUT)
    .usage('<command> [flags]')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      // Errors of usage are printed where all others are: in one line.
      outputError: () => {},
      getOutHelpWidth: () => (out.isTerminal ? out.width : 100),
      getErrHelpWidth: () => (err.isTerminal ? err.width : 100),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText('after', EXAMPLES);
  overrideExit(program, 'reach');
  for (const flag of GLOBAL_FLAGS) program.addOption(optionOf(flag));
  for (const row of ROWS) addRow(program, row, run);
  return program;
}

function addRow(program: Command, row: Row, run: Run): void {
  const [first = '', second] = row.path.split(' ');
  let parent = program;
  if (row.heading !== undefined) program.commandsGroup(row.heading);
  if (second !== undefined) {
    parent = program.commands.find((command) => command.name() === first) ?? group(program, first);
  }
  const name = second ?? first;
  const command = parent
    .command(row.operands === undefined ? name : `${name} ${row.operands}`)
    .description(row.says)
    .helpCommand(false);
  overrideExit(command, `reach ${row.path}`);
  for (const flag of row.flags ?? []) command.addOption(optionOf(flag));
  if (row.examples !== undefined) {
    command.addHelpText('after', `\nExamples:\n  ${row.examples.join('\n  ')}`);
  }
  command.action(async () => {
    const { color, ...flags } = command.optsWithGlobals<Record<string, FlagValue>>();
    const use = new Use(command.args, { ...flags, noColor: color === false });
    run.exitCode = (await row.run(use, run.world)) ?? EXIT.ok;
  });
}

function group(program: Command, name: string): Command {
  const made = program
    .command(name)
    .description(GROUPS[name] ?? '')
    .helpCommand(false);
  overrideExit(made, `reach ${name}`);
  return made;
}

function optionOf({ flags, says, repeats }: Flag): Option {
  const option = new Option(flags, says);
  if (repeats !== true) return option;
  return option.argParser((value: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    value,
  ]);
}

/** Turns commander's complaints into ours, which say where to read on. */
function overrideExit(command: Command, path: string): void {
  command.exitOverride((error) => {
    if (error.exitCode === 0 || error.code === 'commander.help') throw error;
    const detail = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
    throw new UsageError(`${detail}. See \`${path} --help\`.`);
  });
}

/** Help that was asked for is an answer; help for want of a command is not. */
function exitOf(error: CommanderError): number {
  return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
}
