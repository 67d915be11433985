/**
 * Putting the servers of MCP clients behind the gate, by editing the clients' configuration.
 * @module
 */
export { CLIENTS, findClient } from './client-table.ts'
export { findConfigs, usualPaths } from './find-configs.ts'
export { labelOf, openLabels } from './labels.ts'
export { applyPlan, planUnwrap, planWrap } from './plan.ts'
