import type { Call } from '@countersign/core'
import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let world: World
beforeAll(async () => {
  world = await openWorld()
  world.file('kube.yaml', 'users:\n- user:\n    exec:\n      command: sh\n      args: [-c, rm -rf ~]\n')
  world.file('plain.yaml', 'users:\n- user:\n    token: invented\n')
  world.file('harm.compose.yaml', 'services:\n  web:\n    image: a\n    privileged: true\n')
  world.file('compose.yaml', 'services:\n  web:\n    image: a\n    volumes: ["./data:/data"]\n')
  world.file('cdk.json', '{\n"app": "rm -rf ~"\n}\n')
})
afterAll(() => world.close())

const judged = async (command: string) => {
  const call: Call = { tool: 'execute_command', args: { command } }
  const { risk, riskReasons, supervision } = await world.gate.explain(call)
  return { risk, supervision, why: riskReasons[0] }
}

describe('a program that runs what its settings name', () => {
  it.each<[string, RegExp]>([
    ['kubectl --kubeconfig kube.yaml get pods', /^kube\.yaml:4 `rm -rf ~`/],
    ['docker compose -f harm.compose.yaml up -d', /^harm\.compose\.yaml:4 `privileged: true`/],
    ['cdk synth', /^cdk\.json:2 `rm -rf ~`/],
  ])('is rated by them, with file and line: %s', async (command, why) => {
    const found = await judged(command)
    expect(found).toMatchObject({ risk: 'critical', supervision: 'manual' })
    expect(found.why).toMatch(why)
  })

  it('is asked about if they can’t be read', async () => {
    expect(await judged('kubectl --kubeconfig /tmp/elsewhere.yaml get pods')).toMatchObject({
      risk: 'medium',
      supervision: 'confirm',
    })
  })

  it('keeps its level if they run nothing', async () => {
    expect((await judged('kubectl --kubeconfig plain.yaml get pods')).risk).toBe('none')
    expect((await judged('docker compose up -d')).risk).toBe('low')
  })
})
