/**
 * Puts the servers of MCP clients behind the gate by editing the clients' configuration.
 * @module
 */
export { labelOf } from '../identity/server-label.ts'
export { findConfigs, usualPaths } from './config/client-files.ts'
export { CLIENTS, findClient } from './config/clients.ts'
export { SUBCOMMANDS, SWITCHES, VALUE_FLAGS } from './entry/command-line.ts'
export { findInstallation, unstableReason } from './entry/installation.ts'
export { openLabels } from './plan/labels.ts'
export { applyPlan } from './plan/plan.ts'
export { planUnwrap } from './plan/unwrap.ts'
export { planWrap } from './plan/wrap.ts'
