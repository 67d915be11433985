/** The rooms of a folder in import order: a room may use those before it, in code and in types. `.` is the folder's own files. */
export const ROOMS: Readonly<Record<string, string>> = {
  'packages/agent/src': 'model tools mcp loop task .',
  'packages/agent/src/tools': 'definition files search web .',
  'packages/cli/src':
    'terminal arguments . home decision prompt notify journal home-copies store gates exec contain hook policy knowledge grants run undo changes watch chat demo trust preview inbox approvers mcp approve reject pause resume held history intent risk scan serve status stop agents doctor init completion',
  'packages/cli/src/mcp': 'proxy tools sign-in wrap .',
  'packages/core/src/approval': 'history request decision outcome rules context grants record hold desk .',
  'packages/core/src/call': 'json address . names arguments describe freeze',
  'packages/core/src/command': 'model checks programs code expansion nested walk exact .',
  'packages/core/src/intent': 'model text lexicon grammar .',
  'packages/core/src/policy': 'presets model schema parse match compile evaluate load authoring',
  'packages/core/src/preview': 'model targets diff edits kinds .',
  'packages/core/src/risk':
    'report arguments path acts tool-name query hosts programs proof flow command nested-calls tool .',
  'packages/core/src/risk/programs':
    'assessor packages databases interpreters files git network containers cloud system rows .',
  'packages/core/src/runners': 'reading scripts packages build tools settings written .',
  'packages/hosts/src': 'contract hosts rules sessions answer settings canary .',
  'packages/hosts/src/canary': 'model drivers run gate settings proof .',
  'packages/hosts/src/settings': 'files hosts .',
  'packages/mcp/src': 'json wire identity pins gatekeeper relay http sign-in wrap .',
  'packages/mcp/src/gatekeeper': 'call .',
  'packages/mcp/src/http': 'messages upstream link listener .',
  'packages/mcp/src/wrap': 'config entry plan .',
  'packages/node/src':
    'system files home process contain targets changes backups keys approvers sharing policy store transfer bundle home-copy checkers service .',
  'packages/node/src/contain': 'workspace profile network .',
  'packages/notify/src': 'notification settings outbox http push channels plan .',
  'packages/telemetry/src': 'metrics log opentelemetry .',
  'packages/adapters/src': 'gate call ai-sdk claude-agent-sdk langchain openai-agents .',
  'packages/page/src': 'keys store tabs ports service . dialog',
  'packages/postgres/src': 'connection schema server read write copy listen lease gates services .',
  'packages/react/src': 'call text source preview edit decision card dialog .',
  'packages/server/src': 'wire gates monitoring deciding asking hooks control .',
  'packages/server/src/deciding': 'http auth stream api reports routes .',
  'packages/terminal/src': 'card highlight ink review queue chat undo .',
  'packages/terminal/src/card': 'text keys preview prompt .',
  'packages/terminal/src/chat': 'transcript composer .',
  'packages/web/src':
    'preferences keyboard charts api push session signing approvals rules shell quarantine agents changes history tools grants explain inbox pages .',
}
