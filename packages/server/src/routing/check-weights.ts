import type { Issue, Shares, WeightsPolicy } from '@agent-reach/core';
import type { AgentEntry, Directory } from '../registry/directory.ts';
import { nearest } from './nearest.ts';
import { versionOf } from './weight.ts';

/** What is wrong with a document, and what may be wrong with it. */
export interface Verdict {
  faults: Issue[];
  warnings: string[];
}

type Split = { versions?: Shares | undefined; stateful?: string | undefined };

/** Shares are exact to a hundredth of a percent. */
const SLACK = 0.005;

/**
 * Judges a document of weights. What contradicts itself is refused. A name that nobody has is not:
 * whoever rolls out a version sets its share before it is there. It is warned of, since most are
 * slips of the pen.
 */
export function checkWeights(doc: WeightsPolicy, tenant: string, directory: Directory): Verdict {
  const verdict: Verdict = { faults: [], warnings: [] };
  const known = directory.agents(tenant);
  const ids = known.map(({ definition }) => definition.agentId);
  for (const [id, row] of Object.entries(doc.agents ?? {})) {
    judgeSplit(row, `#/doc/agents/${escape(id)}`, verdict);
    const agent = directory.agent(tenant, id);
    if (agent === undefined) {
      verdict.warnings.push(unknown('agent', id, ids));
      continue;
    }
    for (const instance of Object.keys(row.instances ?? {})) {
      if (agent.instances.has(instance)) continue;
      verdict.warnings.push(unknown(`instance of ${id}`, instance, agent.instances.keys()));
    }
    judgeVersions(row, id, [agent], verdict);
  }
  const names = new Set([...directory.allOffers(tenant)].map(({ capability }) => capability.name));
  for (const [name, row] of Object.entries(doc.capabilities ?? {})) {
    judgeSplit(row, `#/doc/capabilities/${escape(name)}`, verdict);
    const offers = directory.offers(tenant, name);
    if (offers.length === 0) {
      verdict.warnings.push(unknown('capability', name, names));
      continue;
    }
    const agents = offers.map(({ agent }) => agent);
    const offering = agents.map(({ definition }) => definition.agentId);
    for (const id of Object.keys(row.agents ?? {})) {
      if (!offering.includes(id)) {
        verdict.warnings.push(unknown(`agent that offers ${name}`, id, offering));
      }
    }
    if (offering.every((id) => (row.agents?.[id] ?? doc.agents?.[id]?.weight) === 0)) {
      verdict.warnings.push(`Everybody who offers ${name} has weight 0: nobody gets its work.`);
    }
    judgeVersions(row, name, agents, verdict);
  }
  return verdict;
}

function judgeSplit({ versions, stateful }: Split, pointer: string, { faults }: Verdict): void {
  if (versions === undefined) {
    if (stateful === undefined) return;
    faults.push({
      pointer: `${pointer}/stateful`,
      detail: 'says a version, but versions is missing',
    });
    return;
  }
  const sum = Object.values(versions).reduce((all, share) => all + share, 0);
  if (Math.abs(sum - 100) > SLACK) {
    const detail = `add up to ${Math.round(sum * 100) / 100} percent, and must to 100`;
    faults.push({ pointer: `${pointer}/versions`, detail });
  }
  if (stateful !== undefined && !((Object.hasOwn(versions, stateful) && versions[stateful]) || 0)) {
    const detail = `is ${stateful}, which must be one of versions with a share over 0`;
    faults.push({ pointer: `${pointer}/stateful`, detail });
  }
}

function judgeVersions(
  { versions }: Split,
  of: string,
  agents: readonly AgentEntry[],
  { warnings }: Verdict,
): void {
  if (versions === undefined) return;
  const present = new Set<string>();
  for (const agent of agents) {
    for (const instance of agent.instances.values()) present.add(versionOf(agent, instance) ?? '');
  }
  for (const version of Object.keys(versions)) {
    if (!present.has(version)) warnings.push(unknown(`version of ${of}`, version, present));
  }
  for (const version of present) {
    if (Object.hasOwn(versions, version)) continue;
    const what = version === '' ? 'Instances without a version' : `Version ${version}`;
    warnings.push(`${what} of ${of} will get nothing: no share is set.`);
  }
}

/** More than a person reads at once. */
const NAMES_SHOWN = 5;

function unknown(what: string, name: string, known: Iterable<string>): string {
  const all = [...known].filter((other) => other !== '');
  const like = nearest(name, all);
  const listed = all.length === 0 ? 'there is none yet' : all.slice(0, NAMES_SHOWN).join(', ');
  const hint = like === undefined ? `Known: ${listed}.` : `Did you mean ${like}?`;
  return `No ${what} is called ${name}. ${hint}`;
}

/** A name as a part of a JSON pointer (RFC 6901). */
function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
