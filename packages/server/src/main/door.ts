export type { ChecklistItem } from '../registry/manifest/checklist.ts';
export { checklist } from './checklist.ts';
export { type Config, type ConfigSources, loadConfig, type Origin, variableOf } from './config.ts';
export { allOptions } from './options.ts';
export { readManifest } from './read-manifest.ts';
export { type Gateway, serve } from './serve.ts';
export { VERSION } from './version.ts';
