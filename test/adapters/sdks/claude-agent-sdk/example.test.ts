import { describeExample } from '../../support/run-example.ts'

describeExample('claude-agent-sdk', import.meta.dirname)
