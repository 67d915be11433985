/**
 * The environment of our processes inside an agent. SECURITY: A10, an environment that a project's agent settings set must not
 * load code into them.
 */
export const CLEAN_START: readonly string[] = ['/usr/bin/env', '-u', 'NODE_OPTIONS']
