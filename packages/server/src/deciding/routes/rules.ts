import type { RulesEdit, SignedRules as Signed } from '@countersign/core'
import { type DecidingApp, defineRoute } from '../api/define-route.ts'
import type { DecidingParts } from '../api/route-dependencies.ts'
import { Applied, ProposeRules, RuleList, RulesProposal, SignedRules } from '../api/rules-schemas.ts'
import { createSignerChecks } from './signer-checks.ts'

/** Rules that people set: in force, proposed with their effect, and applied with a signature. */
export function addRulesRoutes(app: DecidingApp, parts: DecidingParts): void {
  const { main, feed, signIn } = parts
  const signer = createSignerChecks(parts)

  defineRoute(
    app,
    { method: 'get', path: '/rules', summary: 'Rules that people set, and the signed changes', answer: RuleList },
    async (c) => {
      const rules = main.desk.rules()
      const [paused, list, changes] = [await rules.paused(), await rules.list(), await rules.changes()]
      const told = await Promise.all(
        changes.map(async ({ seq, act, what, call, undoes, approver, surface, at }) => {
          const by = (await main.ports.approvers.find(approver))?.name ?? null
          return { seq, act, what, call, undoes, approver, by, surface, at }
        }),
      )
      return c.json({ paused, rules: list, changes: told })
    },
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/rules/propose',
      summary: 'What a change of the rules would do: the diff, its effect on past calls, and what it takes to sign it',
      body: ProposeRules,
      answer: RulesProposal,
    },
    async (c, { body }) => c.json(await main.desk.rules().propose(body.edit as RulesEdit, body.call ?? null)),
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/rules/apply',
      summary: 'Apply a proposed change of the rules, with a signature',
      body: SignedRules,
      answer: Applied,
      also: {
        409: 'The rules were changed meanwhile; nothing was applied.',
        422: 'The signature is not by an enrolled approver over exactly this change; nothing was applied.',
      },
    },
    async (c, { body: { signed, rules } }) => {
      const signedIn = c.get('signedIn')
      try {
        await signer.check(signedIn, signed, 'review the change again')
        await main.desk.rules().apply(signed as Signed, rules)
      } catch (error) {
        await signer.recordForged(error, 'a change of the rules', signedIn)
        throw error
      }
      void signIn.note(signedIn.id, signed.approver)
      feed.wake()
      return c.json({ change: signed.seq })
    },
  )
}
