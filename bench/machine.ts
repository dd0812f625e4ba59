import { statfsSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, type } from 'node:os';

/** What a number means nothing without. */
export function machineFacts(): string {
  const cpu = cpus()[0]?.model ?? 'unknown CPU';
  return `${availableParallelism()} cores (${cpu}), ${type()} ${release()}, Node ${process.version}`;
}

/** How many processes want a core: over the last minute, and at the last five minutes' end. */
export function load(): string {
  return loadavg()
    .slice(0, 2)
    .map((average) => average.toFixed(2))
    .join(' / ');
}

/** Source: statfs(2). A sync costs nothing on tmpfs, and a gateway there proves nothing. */
const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0x01021994: 'tmpfs (in memory: syncs cost nothing)',
  0xef53: 'ext4',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x794c7630: 'overlayfs',
};

/** What kind of disk a folder lies on. */
export function fileSystemOf(folder: string): string {
  const kind = statfsSync(folder).type;
  return FILE_SYSTEMS[kind] ?? `file system 0x${kind.toString(16)}`;
}
