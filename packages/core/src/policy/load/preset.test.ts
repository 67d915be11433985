import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compiledPresets } from '../../../../../scripts/compile-presets.ts'
import { isDecidingSubcommand } from '../../command/programs/deciding-subcommands.ts'
import { PROGRAMS } from '../../knowledge/compiled/commands.ts'
import { findHostTool } from '../../knowledge/tools.ts'
import type { Crypto } from '../../ports/crypto.ts'
import { createHermeticJudge } from '../authoring/test-judge.ts'
import { TEST_PLACES } from '../authoring/test-places.ts'
import { formatTestResult, type JudgeTest, runPolicyTests } from '../authoring/test-runner.ts'
import { supervisionRank } from '../model/supervision.ts'
import { PRESETS } from '../presets/compiled/presets.ts'
import { PRESET_NAMES } from '../presets/preset-name.ts'
import { loadPolicy } from './policy.ts'
import { loadBuiltin, loadPreset } from './preset.ts'

const crypto = { sha256: (text: string) => createHash('sha256').update(text).digest('hex') } as unknown as Crypto

function judgeUnder(preset: string): JudgeTest {
  const file = { layer: 'user', name: 'policy.yaml', text: `version: 1\npreset: ${preset}\n`, trusted: false } as const
  const loaded = loadPolicy([file], { checkers: [], crypto })
  if (loaded.kind === 'refused') throw new Error(loaded.problems[0]?.message)
  return createHermeticJudge(loaded.policy, crypto)
}

/** The table in the design: each preset’s answer if no rule matches. */
const TABLE = {
  paranoid: ['notify', 'confirm', 'confirm', 'manual', 'deny', 'manual'],
  balanced: ['automatic', 'automatic', 'confirm', 'confirm', 'manual', 'confirm'],
  permissive: ['automatic', 'automatic', 'notify', 'confirm', 'manual', 'confirm'],
  'read-only': ['automatic', 'deny', 'deny', 'deny', 'deny', 'deny'],
  classic: ['automatic', 'automatic', 'automatic', 'automatic', 'automatic', 'automatic'],
} as const

describe.each(PRESET_NAMES)('the preset %s', (name) => {
  it('answers as the design specifies', () => {
    const { row } = loadPreset(name)
    const { none, low, medium, high, critical } = row?.byRisk ?? {}
    expect([none, low, medium, high, critical, row?.undescribed]).toEqual(TABLE[name])
    expect(row?.ignoresDeclarations).toBe(name === 'classic')
  })

  it('passes its own cases, and those that protect the gate', async () => {
    const cases = [...loadPreset(name).tests, ...loadBuiltin().tests]
    const results = await runPolicyTests(cases, judgeUnder(name), TEST_PLACES)
    expect(results.filter(({ status }) => status === 'fail').map(formatTestResult)).toEqual([])
    expect(loadPreset(name).tests.length).toBeGreaterThan(2)
  })

  it('has no rule that loosens its own row, except for reversible effects', () => {
    const { row, rules } = loadPreset(name)
    for (const { id, floor, supervision, when } of rules.filter((one) => !one.checks.includes('backup'))) {
      const strictestRow = row?.byRisk[when.risk?.at_most ?? 'critical'] ?? 'deny'
      expect(floor || supervisionRank(supervision) >= supervisionRank(strictestRow), id).toBe(true)
    }
  })
})

describe('the rules that protect the gate', () => {
  it('deny, except for undo, which must keep a backup', () => {
    expect(loadBuiltin().rules.map(({ id, supervision }) => [id, supervision])).toEqual([
      ['gate-files', 'deny'],
      ['gate-secrets', 'deny'],
      ['self-approval', 'deny'],
      ['no-imported-rules', 'deny'],
      ['forged-events', 'deny'],
      ['gated-servers', 'deny'],
      ['undo-keeps-a-copy', 'notify'],
    ])
  })

  it('deny exactly the subcommands that decide', async () => {
    const verbs = loadBuiltin().rules.flatMap(({ when }) => when.command?.verb ?? [])
    const others = ['mcp', 'policy import', 'hook']
    expect(verbs.filter((verb) => !others.includes(verb) && !isDecidingSubcommand(verb))).toEqual([])
    const judge = judgeUnder('classic')
    for (const verb of PROGRAMS.decidingSubcommands) {
      const judged = await judge({ tool: 'execute_command', args: { command: `countersign ${verb} x` } }, null)
      expect({ verb, supervision: judged.supervision }).toEqual({ verb, supervision: 'deny' })
    }
  })
})

describe.each(['balanced', 'permissive', 'classic'])('under %s an agent may still read: ', (preset) => {
  it.each(['countersign held', 'countersign journal tail', 'countersign policy explain', 'countersign grants list'])(
    '%s',
    async (command) => {
      expect(await judgeUnder(preset)({ tool: 'execute_command', args: { command } }, null)).toMatchObject({
        supervision: 'automatic',
      })
    },
  )

  it.each(['cat ~/.countersign/policy.yaml', 'countersign policy lint ~/.countersign/policy.d/a.yaml'])(
    '%s is not denied',
    async (command) => {
      expect(await judgeUnder(preset)({ tool: 'execute_command', args: { command } }, null)).not.toMatchObject({
        supervision: 'deny',
      })
    },
  )
})

it('is compiled from the YAML files', async () => {
  const compiled = readFileSync(new URL('../presets/compiled/presets.ts', import.meta.url), 'utf8')
  expect(compiled).toBe(await compiledPresets())
})

/** Everyday commands: `balanced` must not ask for any of them. */
const EVERYDAY = `git status
git diff --stat HEAD~3
git log --oneline -20 -- src
git add -A && git commit -m "remove rm -rf from the docs"
git checkout -b fix/login
git fetch --all --prune
npm test
npm run build 2>&1 | tail -20
npx vitest run src/a.test.ts
pytest -q -k 'not slow'
cargo test --workspace
go build ./... && go vet ./...
make test
grep -rn "rm -rf" .
rg 'DROP TABLE' --type sql -n
echo "DROP TABLE users"
cat package.json | jq '.scripts'
find . -name '*.log' -mtime +7 -print
ls -la src | head
sed -n '1,40p' src/index.ts
awk -F, '{ print $2 }' data.csv | sort | uniq -c | sort -rn | head
for f in src/*.ts; do wc -l "$f"; done
terraform plan
terraform validate && terraform fmt -check
kubectl get pods
kubectl -n prod logs deploy/api --tail=100
kubectl describe node
helm list -A
docker ps -a
docker compose logs -f --tail=50 api
aws s3 ls
aws sts get-caller-identity
gcloud projects list
psql -c 'select count(*) from users'
curl -s localhost:3000/health
ping -c 1 localhost
systemctl status nginx
journalctl -u nginx -n 50
gh pr list
gh pr view 12 --comments
python -c 'print(sum(range(10)))'
node -e 'console.log(process.version)'
tsc --noEmit
eslint . --max-warnings 0
git push --dry-run
rm --help
man rm
ps aux | grep node
df -h && free -m
mkdir -p src/lib && touch src/lib/a.ts`.split('\n')

describe('the preset balanced', () => {
  it('asks before any write by a tool with an unknown name', () => {
    const named = [...PRESETS.balanced.text.matchAll(/^ +- tool: \[(.*)\]$/gm)].flatMap(([, list = '']) =>
      list.split(', '),
    )
    expect(named).toContain('write_file')
    for (const name of named) expect(['write', 'move'], name).toContain(findHostTool(name)?.kind)
  })

  it.each(EVERYDAY)('does not ask for `%s`', async (command) => {
    const judge = judgeUnder('balanced')
    const verdict = await judge({ tool: 'execute_command', args: { command } }, null)
    expect(verdict.supervision, JSON.stringify(verdict)).toBe('automatic')
  })
})
