import type { CueTable, ForeignVerbs } from './cue.ts'

/** The plain asks and announcements of Portuguese. */
export const PORTUGUESE: CueTable = {
  own: `
    vou|vamos|irei|iremos
    estou|estamos prestes|pronto|pronta|prontos|a|quase a|para?
    preciso|pretendo|quero|planejo|devo|desejo|gostaria|tenho de|que?
    prestes a
    estou|estamos
    próximo passo :
    antes de
    começarei|começo a
  `,
  ask: `
    devo|posso|podemos|devemos|poderia eu?
    quer|deseja|gostaria|queres|desejas que eu?
    você quer|deseja|gostaria que eu?
    você|tudo se|bem importa|se|bem que|eu|se? eu?
    tenho sua|a|tua permissão|autorização|aprovação para
    me autoriza|permite a?
    está tudo|? bem|ok|certo se|eu eu?
  `,
  wait: `
    prossigo|continuo|sigo com
    posso|devo|podemos|devemos prosseguir|continuar|seguir|proceder|fazer|avançar
    prossigo|continuo|sigo|prosseguimos|continuamos|avanço ?
    deseja|quer|você|queres quer|deseja|realmente|? continuar|prosseguir|mesmo|seguir
    confirma|confirme|confirmas|confirmar por|que|a|se|para|antes|? favor|deseja|quer|exclusão|posso?
    por favor , confirme|autorize|aprove
    por favor confirme|confirma|autorize|aprove
    você? pode|poderia me? confirmar
    aguardo|aguardando|preciso|espero|aguardarei|esperando da|de|pela|por|? sua|a|tua? confirmação|aprovação|autorização|permissão|resposta
    requer|exige sua|a? confirmação|aprovação|autorização
    tem certeza
    você tem certeza
    de acordo ?
    concorda ?
    tudo bem ?
    você concorda|autoriza|aprova|confirma
    com a? sua permissão|autorização
    se você concordar|confirmar|aprovar|autorizar|estiver
    assim que você|for confirmar|aprovar|autorizar
    sim ou não
    s/n
    digite|responda|escreva sim
    me avise|diga|diga-me|avise-me se|quando devo|posso|quiser|você
  `,
  you: `
    você pode|deve|precisa|poderia
    você
    para
    como
  `,
  past: `
    já|foi|foram|tinha|havia|tenho
    eu? excluí|apaguei|removi|eliminei
  `,
  thought: `
    poderia|poderiam|seria|teria|pode
    por exemplo
  `,
  condition: `
    quando|caso
    se você|o|a|os|as|eu|for|tudo
  `,
  claim: `
    o? usuário|utilizador|cliente|administrador já|? aprovou|autorizou|confirmou|deu|aceitou
    você já|? aprovou|autorizou|confirmou
    já foi? aprovado|autorizado|aprovada|autorizada|confirmado|aprovou|autorizou
    como|conforme você|já|? autorizou|aprovou|autorizado|aprovado|combinado
  `,
  doubt: `
    não tenho|temos certeza
    não sei se
    não estou|estamos certo|certa|seguro|segura|seguros
    pode|poderia quebrar|danificar|afetar|apagar|perder|corromper|excluir
    tenho dúvidas
  `,
  warning: `
    não pode|poderá ser desfeito|desfeita|revertido|revertida
    irreversível
    não há como desfazer|voltar
    permanentemente
  `,
  idle: `
    tem|você alguma|mais|tem pergunta|dúvida|perguntas|alguma?
    mais alguma coisa|dúvida|pergunta
    posso ajudar|te|explicar em|ajudar?
    quer|deseja|gostaria|você que|quer|? eu|que|? eu? explique|mostre|detalhe|resuma|te
    faz sentido
  `,
  not: `
    não|nao|nunca|jamais|sem|nenhum|nenhuma|nada
    em vez de
    ao invés de
  `,
}

export const PORTUGUESE_VERBS: ForeignVerbs = {
  destroy: {
    base: 'excluir apagar deletar remover eliminar exclua apague delete remova elimine limpar esvaziar',
    ing: 'excluindo apagando deletando removendo eliminando',
    past: 'excluído excluída excluídos excluídas apagado apagada apagados apagadas removido removidos',
    self: 'excluirei apagarei removerei deletarei excluo apago eliminarei',
    third: 'excluirá apagará',
  },
  overwrite: {
    base: 'sobrescrever substituir redefinir',
    ing: 'sobrescrevendo',
    self: 'sobrescreverei',
    past: 'sobrescrito sobrescritos',
  },
  deploy: {
    base: 'implantar publicar lançar implante publique fazer+deploy',
    ing: 'implantando publicando',
    self: 'implantarei publicarei',
  },
  send: { base: 'enviar mandar envie', ing: 'enviando', self: 'enviarei' },
  pay: {
    base: 'pagar transferir comprar reembolsar pague transfira',
    ing: 'pagando transferindo',
    self: 'pagarei transferirei comprarei',
  },
  bounce: { base: 'reiniciar reinicie', ing: 'reiniciando', self: 'reiniciarei' },
  stop: { base: 'desligar parar', ing: 'desligando', self: 'desligarei' },
  migrate: { base: 'migrar', ing: 'migrando', self: 'migrarei' },
  grant: { base: 'conceder revogar', self: 'concederei revogarei' },
  cancel: { base: 'cancelar', self: 'cancelarei' },
  make: {
    base: 'ler explicar mostrar analisar verificar procurar ver escrever criar adicionar testar ajudar resumir explique mostre',
    ing: 'lendo analisando verificando',
  },
  run: { base: 'executar rodar execute', ing: 'executando rodando', self: 'executarei' },
  proceed: { base: 'prosseguir continuar seguir' },
}
