import type { Reversible } from '../../report/finding.ts'
import type { RiskLevel } from '../../report/level.ts'

/** Verbs by their first part, for commands in no group: `describe-instances`, `apps:destroy`. */
const READS =
  /^(?:list|ls|describe|get|show|head|lookup|search|scan|query|view|help|version|info|status|wait|batch-get|estimate|validate|check|explain|history|tail|logs?|diff|inspect|verify|lint|whoami|current|preview|plan|print|doctor|completion|docs|read|about|detect|select-aggregate|test|simulate|preview|poll|filter|count|export-metadata|lookup|ping|top|stat|stats|tree|env|providers|open)(?:[-:_]|$)|[-:_](?:list|ls|status|info|show|get|describe|view|logs?|diff|version|history)$/
const DESTROYS =
  /^(?:delete|del|remove|rm|terminate|destroy|purge|drop|rb|empty|wipe|deregister|uninstall|erase|reset|nuke|clean-?all|flush|revoke|disable|detach|abort|prune|undeploy|unpublish)(?:[-:_]|$)|[-:_](?:delete|remove|rm|destroy|purge|drop|reset|wipe|revoke)$/
const CHANGES =
  /^(?:create|put|update|modify|set|add|apply|deploy|run|start|stop|restart|reboot|attach|associate|enable|register|import|promote|rollback|rollout|scale|resize|restore|send|publish|push|invoke|execute|change|replace|edit|patch|assign|grant|tag|untag|migrate|move|rename|upload|sync|merge|approve|cancel|schedule|transfer|release|upgrade|install|provision|rotate|failover|switch|bind|unbind|link|up)(?:[-:_]|$)|[-:_](?:create|update|set|add|deploy|promote|rollback|restart|upload|import|push|apply|send)$/

const COMPOUND = /[-:_]/

/** The answer for a verb in no group. */
interface ShapeAnswer {
  readonly level: RiskLevel
  readonly undo: Reversible
  readonly effect: string
}

/**
 * Rates a command by the form of its first telling word; `otherwise` when none tells anything. With `whole` a word such as
 * `list` reads; with `compound` so does `describe-instances`, where all verbs are made that way; with `closed` none reads,
 * since an unknown verb is an alias or another program, as `git status-all` would be.
 */
export function shapeOf(
  words: readonly string[],
  otherwise: RiskLevel,
  shape: 'whole' | 'compound' | 'closed',
): ShapeAnswer {
  for (const word of words) {
    if (DESTROYS.test(word)) return { level: 'high', undo: 'no', effect: 'deletes something' }
    if (shape !== 'closed' && READS.test(word) && (shape === 'compound' || !COMPOUND.test(word)))
      return { level: 'none', undo: 'yes', effect: 'only reads' }
    if (CHANGES.test(word))
      return { level: otherwise === 'high' ? 'high' : 'medium', undo: 'partly', effect: 'changes something' }
  }
  return { level: otherwise, undo: 'unknown', effect: 'runs an unknown command' }
}
