import type { RiskLevel } from '../../risk/report/level.ts'
import type { ActionType } from '../model/intent.ts'
import { PhraseTable } from '../text/phrase-table.ts'
import { type Token, tokenise } from '../text/tokenizer.ts'

/** What a command in an announcement does. The gate's own risk rating judges the call itself; this only reads words. */
export interface NamedCommand {
  readonly action: Exclude<ActionType, `batch_${string}`>
  readonly level: RiskLevel
}

const COMMANDS: readonly (readonly [phrases: string, action: NamedCommand['action'], level: RiskLevel])[] = [
  ['rm -rf|-r|-fr|-f|-rf|-r|--recursive', 'delete', 'high'],
  ['sudo rm', 'delete', 'critical'],
  ['drop table|database|schema|index|column|view|user|role|collection', 'delete', 'critical'],
  ['delete from', 'delete', 'high'],
  ['truncate table|only?', 'delete', 'critical'],
  ['alter table', 'modify', 'high'],
  ['push --force|-f|--force-with-lease|--mirror|--delete', 'push', 'high'],
  ['push origin|upstream +|main|master|production|--force|-f', 'push', 'high'],
  ['push origin|upstream main|master --force|-f', 'push', 'critical'],
  ['reset --hard', 'overwrite', 'high'],
  ['clean -fd|-fdx|-xdf|-f|-df', 'delete', 'high'],
  ['filter-branch', 'push', 'high'],
  ['filter-repo', 'push', 'high'],
  ['branch -d', 'delete', 'medium'],
  ['terraform|tofu|pulumi apply|up', 'deploy', 'high'],
  ['terraform|tofu|pulumi destroy', 'delete', 'critical'],
  ['kubectl delete|drain|replace', 'delete', 'high'],
  ['kubectl apply|rollout|scale|set|patch|exec', 'deploy', 'high'],
  ['helm install|upgrade|rollback', 'deploy', 'high'],
  ['helm uninstall|delete', 'delete', 'high'],
  ['docker|podman system|volume|container|image|network prune|rm', 'delete', 'high'],
  ['mkfs', 'delete', 'critical'],
  ['mkfs.ext4|mkfs.xfs', 'delete', 'critical'],
  ['dd if', 'delete', 'critical'],
  ['shutdown|reboot|halt|poweroff', 'restart', 'high'],
  ['systemctl restart|stop|disable', 'restart', 'high'],
  ['npm|yarn|pnpm|cargo|gem publish|push|unpublish', 'publish', 'high'],
  ['twine upload', 'publish', 'high'],
  ['gh release|repo create|delete|edit', 'publish', 'high'],
  ['chmod -r|777|-r', 'grant', 'high'],
  ['chown -r', 'grant', 'high'],
  ['flushall|flushdb', 'delete', 'critical'],
  ['dropdb|dropuser', 'delete', 'critical'],
  ['db.dropdatabase', 'delete', 'critical'],
  ['aws s3 rm|rb|sync', 'delete', 'high'],
  ['s3 rm|rb', 'delete', 'high'],
  ['gcloud|az|aws delete|terminate', 'delete', 'high'],
  ['prisma migrate reset', 'delete', 'high'],
  ['migrate deploy|reset', 'migrate', 'high'],
  ['db:drop|db:reset', 'delete', 'high'],
  ['sudo', 'execute', 'high'],
  ['iptables|ufw -f|disable|flush', 'disable', 'high'],
  ['crontab -r', 'delete', 'high'],
  ['vercel --prod', 'deploy', 'high'],
  ['find -delete', 'delete', 'high'],
  ['killall|pkill', 'restart', 'medium'],
]

let trie: PhraseTable<NamedCommand> | undefined

function commands(): PhraseTable<NamedCommand> {
  if (trie !== undefined) return trie
  trie = new PhraseTable()
  for (const [phrases, action, level] of COMMANDS) trie.add(phrases, { action, level })
  return trie
}

/** The command that starts at a token. */
export function commandAt(tokens: readonly Token[], at: number): NamedCommand | null {
  return commands().match(tokens, at)?.value ?? null
}

const SCRATCH_PATH =
  /(^|[/\s])(node_modules|dist|build|target|\.next|coverage|__pycache__|\.cache|tmp|venv|\.venv|out)(\/\S*)?\s*$/
const MAX_CODE = 4000

/** The worst command that a piece of code names; null when none is known. */
export function commandIn(code: string): NamedCommand | null {
  const text = code.slice(0, MAX_CODE).toLowerCase()
  if (/\b(curl|wget|fetch)\b/.test(text) && /\|\s*(sudo\s+)?(ba|z)?sh\b/.test(text))
    return { action: 'execute', level: 'critical' }
  const tokens = tokenise(text, [])
  let worst: NamedCommand | null = null
  for (let at = 0; at < tokens.length; at++) {
    const found = commandAt(tokens, at)
    if (found !== null && (worst === null || (worst.level !== 'critical' && found.level !== 'medium'))) worst = found
  }
  if (worst?.action === 'delete' && worst.level === 'high' && SCRATCH_PATH.test(text.trim()))
    return { action: 'delete', level: 'low' }
  if (worst?.action === 'delete' && /\brm\b/.test(text) && /(^|\s)(\/|~|\/\*|\$home|\.\.)\s*$/.test(text.trim()))
    return { action: 'delete', level: 'critical' }
  return worst
}
