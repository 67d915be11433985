/** Variables by which a shell runs or believes something the command does not say. */
const SHELL_TRAPS = new Set(['BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'PS4', 'CDPATH', 'GLOBIGNORE'])

/**
 * The environment for an approved command. SECURITY: A28 start-up files, shell options and exported functions would make
 * the shell do other things than were shown. PATH, NODE_OPTIONS, LD_PRELOAD and the like stay: they are the person's own
 * set-up, and were already there when this process, too, was started.
 */
export function commandEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !SHELL_TRAPS.has(name) && !name.startsWith('BASH_FUNC_')),
  )
}
