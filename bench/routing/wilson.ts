export { wilson } from '@agent-reach/server/meaning';
