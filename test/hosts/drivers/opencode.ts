import { opencode as driver } from '../../../packages/hosts/src/canary/drivers/opencode.ts'
import type { HostDriver } from './host-driver.ts'

/** opencode, in `run` with every permission allowed. A hook is a plugin module, whose text is the entry's command. */
export const opencode: HostDriver = {
  ...driver,
  hookKind: 'plugin',
  gateEvent: 'tool.execute.before',
  events: ['chat.message', 'tool.execute.before', 'tool.execute.after', 'shell.env', 'event'],
  deny: (reason) => ({ fail: reason }),
  rewrite: (args) => ({ args }),
  hookFiles: (hooks, scope) => {
    const folder = scope === 'user' ? '~/.config/opencode/plugins' : '.opencode/plugins'
    return Object.fromEntries(hooks.map(({ command }, at) => [`${folder}/hook-${at}.js`, command]))
  },
}
