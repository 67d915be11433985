/**
 * Putting the servers of MCP clients behind the gate, by editing the clients' configuration.
 * @module
 */
export { labelOf } from '../server-label.ts'
export { CLIENTS, findClient } from './client-table.ts'
export { findConfigs, usualPaths } from './find-configs.ts'
export { OUR_COMMANDS, SWITCHES, VALUE_FLAGS } from './gate-line.ts'
export { findInstallation } from './installation.ts'
export { openLabels } from './labels.ts'
export { applyPlan } from './plan.ts'
export { planUnwrap } from './plan-unwrap.ts'
export { planWrap } from './plan-wrap.ts'
