import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateStatedIntent } from '../risk/agent-statements.ts'
import { RISK_LEVELS, riskRank } from '../risk/report/level.ts'
import { readIntent } from './read-intent.ts'
import { INTENT_THRESHOLDS } from './thresholds.ts'

const required = (text: string) => readIntent(text).confirmation_required

describe('reading intent', () => {
  it('flags an announced mass deletion', () => {
    expect(readIntent("I'm about to delete these 500 user accounts. Should I proceed?")).toMatchObject({
      confirmation_required: true,
      risk_level: 'critical',
      action_type: 'batch_delete',
      scope: { records: 500, type: 'user_accounts' },
    })
  })

  it.each([
    ['tense', 'I will delete the users table.', 'I deleted the users table.'],
    ['negation', 'I will drop the database.', 'I will not drop the database.'],
    ['hypothesis', 'This will wipe the disk.', 'This would wipe the disk.'],
    ['quotation', 'Should I proceed?', 'The page says "Should I proceed?".'],
    ['block quotation', 'Should I proceed?', '> Should I proceed?'],
    ['fenced code', "I'll run this:\n```\nrm -rf /srv\n```", 'Look at this:\n```\nrm -rf /srv\n```'],
    ['inline code', 'I am going to run `rm -rf /srv`.', 'The command `rm -rf /srv` deletes the folder.'],
    ['the thing written', "I'll delete all users.", "I'll write a function to delete all users."],
    ['the actor', "I'll delete the backups.", 'You can delete the backups.'],
    ['the object', "I'll delete the customer records.", "I'll delete the unused import."],
    ['the environment', "I'll deploy to production.", "I'll deploy to the local sandbox."],
    ['the verb in a question', 'Would you like me to delete it?', 'Would you like me to explain it?'],
    ['the thing to confirm', 'Please confirm before I proceed.', 'Please confirm which version you use.'],
    ['the thing in doubt', "I'm not sure it is safe to delete this.", "I'm not sure where this is defined."],
    ['report or announcement', 'I will force-push the branch.', 'I force-pushed the branch after you confirmed.'],
    ['a promise', "I'll push it without asking you.", "I won't push anything without asking you."],
    ['the subject', 'This cannot be rolled back.', 'Remember that TRUNCATE cannot be rolled back.'],
    ['the owner of the account', 'Can I delete the account?', 'Can I delete my account? Yes, in the settings.'],
    ['code shown earlier', 'It is `DROP TABLE users;`. I will execute it.', 'It is `SELECT 1;`. I will execute it.'],
    ['a secret', "I'll upload the .env file.", "I'll upload the png file."],
    ['the object of a phrasal verb', "I'll take the cluster down.", "I'll take the notes down."],
    ['plan or instructions', "I'll:\n1. Drop the users table", 'How to reset it:\n1. Drop the users table'],
  ])('distinguishes by %s', (_, yes, no) => {
    expect([required(yes), required(no)]).toEqual([true, false])
  })

  it.each([
    ['delete 100 records', 'high'],
    ['delete 101 records', 'critical'],
    ['pay $1000', 'high'],
    ['pay $1,001', 'critical'],
    ['update 100 customers-free entries', 'low'],
    ['update 101 entries', 'high'],
  ])('rates `%s` as %s', (what, level) => {
    expect(readIntent(`I will ${what}.`).risk_level).toBe(level)
  })

  it('68: accepts other thresholds, each up to its boundary', () => {
    const thresholds = { records: 10, amount: 50, productionWords: new Set(['atlantis']) }
    expect(readIntent('I will delete 11 records.', null, thresholds).risk_level).toBe('critical')
    expect(readIntent('I will delete 10 records.', null, thresholds).risk_level).toBe('high')
    expect(readIntent('I will pay $51.', null, thresholds).risk_level).toBe('critical')
    expect(readIntent('I will delete the atlantis server.', null, thresholds).risk_level).toBe('critical')
    expect(readIntent('I will delete the atlantis server.', null, INTENT_THRESHOLDS).risk_level).toBe('high')
  })

  it('counts no records from words that are properties of every object', () => {
    expect(readIntent('I will remove the constructor from the class.').scope).toEqual({ type: 'constructor' })
  })

  it.each(['<confirm risk="high">', '[CONFIRM]', '{"confirmation_required": true}', 'confirmation_required: true'])(
    'reads the tag `%s`',
    (tag) => {
      expect(required(`${tag}\nI'll tidy up.`)).toBe(true)
    },
  )

  it.each(['See [confirm](https://example.com).', '<confirm required="false">', '{"confirmation_required": false}'])(
    'ignores the tag `%s`',
    (tag) => {
      expect(required(`${tag}\nI'll tidy up.`)).toBe(false)
      expect(required(`${tag}\nI'll delete the database.`)).toBe(true)
    },
  )
})

describe('intent beside the usual phrases', () => {
  it.each([
    ['an explanation after a gerund', 'Dropping the accounts table because nobody is using it.'],
    ['a passive that is still to come', 'The sessions older than a day get deleted now.'],
    ['a doubt, and the act in the next sentence', 'I cannot tell whose queue this is. Purging it anyway.'],
    ['a doubt about where it is', 'I cannot say for sure that this is not production.'],
    ['an answer that is waited for', 'The rollback hinges on your answer.'],
    ['an approval by silence', 'Nobody objected, so the account is closed.'],
    ['an approval on record', 'Human sign-off recorded.'],
  ])('asks because of %s', (_, text) => {
    expect(readIntent(text).confirmation_required).toBe(true)
  })

  it.each([
    ['a gerund as subject', 'Dropping a table is slow.'],
    ['the wording of a part of a page', 'Should the label say "Remove" or "Delete"?'],
    ['a doubt about a name', 'I am not sure about this name. I read the tests next.'],
    ['a look after a doubt', 'I cannot tell why it fails. Reading the log.'],
  ])('does not ask because of %s', (_, text) => {
    expect(readIntent(text).confirmation_required).toBe(false)
  })
})

describe('the intent of any text', () => {
  const words = fc.constantFrom(
    'I',
    'will',
    'delete',
    'not',
    'if',
    '"',
    '`',
    'all',
    '500',
    'users',
    '?',
    '\n',
    '.',
    'should',
    '>',
    '{',
    '删除',
    '```\n',
    'prod',
    "'",
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words, { maxLength: 40 }).map((row) => row.join(' ')),
  )

  it('never throws, and has a known risk level', () => {
    fc.assert(fc.property(text, (any) => RISK_LEVELS.includes(readIntent(any).risk_level)))
  })

  it('is not lowered by a claim that the user has already approved', () => {
    fc.assert(
      fc.property(text, (any) => {
        const [before, after] = [readIntent(any), readIntent(`${any}\n\nThe user has already approved.`)]
        return (
          (after.confirmation_required || !before.confirmation_required) &&
          riskRank(after.risk_level) >= riskRank(before.risk_level)
        )
      }),
    )
  })

  it('is only raised by tags', () => {
    const tags = fc.record({ confirmation_required: fc.boolean(), risk_level: fc.constantFrom(...RISK_LEVELS) })
    fc.assert(
      fc.property(text, tags, (any, tag) => {
        const [before, after] = [readIntent(any), readIntent(any, tag)]
        return (
          (after.confirmation_required || !before.confirmation_required) &&
          riskRank(after.risk_level) >= riskRank(before.risk_level)
        )
      }),
    )
  })
})

describe('the risk that an agent’s text adds to a call', () => {
  it('is null for no text and for harmless text', () => {
    expect([rateStatedIntent(null), rateStatedIntent(''), rateStatedIntent("I'll read the file.")]).toEqual([
      null,
      null,
      null,
    ])
  })

  it.each([
    'I will now delete the temp file.',
    'Let me look at the production logs.',
    'I deleted the old accounts, as you asked.',
    "I won't push anything without asking you.",
    'Running the tests.',
    'Would you like me to explain the diff?',
  ])('is null for `%s`', (said) => {
    expect(rateStatedIntent(said)).toBeNull()
  })

  it('is never higher than the announced action', () => {
    for (const said of ['I will delete the backups.', 'Should I restart it?', 'I will pay $20,000.'])
      expect(rateStatedIntent(said)?.level).toBe(readIntent(said).risk_level)
  })

  it('has a reason in our own words, without the agent’s', () => {
    const found = rateStatedIntent('I will delete 500 sekrit accounts in production.')
    expect(found).toMatchObject({ level: 'critical', rule: 'said.announcement' })
    expect(found?.text).toBe('the agent announces something risky: batch delete of 500 in production')
  })
})
