// Generated from the tables of settings (src/procedures/*/settings.rs, src/people.rs, src/room/plan.rs, src/study/plan.rs); do not edit.

/** Settings with `protocol: justice`. */
export interface JusticeConfig {
  /** Procedure: The procedure of the run. */
  protocol?: "justice" | null;
  /** Schema: Address of the JSON Schema for editors. No effect on a run. */
  "$schema"?: string | null;
  /** Title: The name of the run in your library. */
  title?: string | null;
  /** Language: Prompts, notices and answers. */
  language?: "English" | "Spanish" | "Mandarin" | "en" | "es" | "zh" | null;
  /** Rules: “Published program” repeats the published runs exactly. */
  profile?: "default" | "compat" | null;
  /** Seed: The same seed gives the same draws. */
  seed?: number | null;
  /** Wording: For classes: short names of the principles, plain sentences, and points instead of dollars. */
  wording?: "study" | "class" | null;
  /** Explain the experiment to participants: Adds an explanation of the experiment to the first prompt. */
  include_experiment_explanation?: boolean | null;
  /** Repeat the explanation in every call: Makes every call longer. */
  include_experiment_explanation_each_turn?: boolean | null;
  /** Answers of models: A given form is read with certainty: models answer in JSON, or with a last line in a fixed form if they cannot. */
  answers?: "free" | "structured" | null;
  /** Condition: Condition of a study, for example "control". It appears in the tables and has no effect on the run. */
  condition?: string | null;
  /** Study: Place of the run in the plan of a study, which writes it. It appears in the tables and has no effect on the run. */
  study?: {
    /** Study: Name of the study. */
    id: string;
    /** Cell: The level of each factor. */
    cell: Record<string, string>;
    /** Repetition: Number of the run in its cell, from 1. */
    repetition: number;
    /** Guests who may leave: How many guests may leave a table of people before it is void. */
    leavers?: number | null;
  } | null;
  /** Participants: The seats at the table. */
  agents: {
    /** Name: Unique at the table, 60 characters at most. */
    name: string;
    /** Who answers: A built-in program, a language model, or a person at this screen. */
    kind?: "scripted" | "model" | "human" | "custom" | "recorded" | null;
    /** Personality: Who this is and what counts for them, in a sentence or two. */
    personality: string;
    /** Provider: Whose model answers. Keys are entered below. */
    provider?: "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq" | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra" | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible" | null;
    /** Model: The name that the provider uses, such as gpt-4.1-mini. */
    model?: string | string[] | null;
    /** Base URL: Address of the model. Empty: derived from the model's name. */
    base_url?: string | null;
    /** Temperature: 0 answers almost the same each time, 2 very freely. */
    temperature?: number | null;
    /** If it fails permanently: Models to use after a permanent failure. Without any, the run stops and asks you. A change of model is recorded. */
    fallback?: {
      /** Model: The name that the provider uses. */
      model: string;
      /** Provider: Whose model answers. */
      provider?: "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq" | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra" | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible" | null;
      /** Base URL: Address of the model. */
      base_url?: string | null;
    }[] | null;
    /** Plays back: Answers that this seat, or the named one, gave in a saved session. If an answer is missing, the run stops. */
    plays?: {
      /** Saved session: The session to take answers from. */
      session: string;
      /** Whose answers: Default: the seat of the same name. */
      seat?: string | null;
    } | null;
    /** Run by: How the model runs inside this page. Other pages may bring programs of their own. */
    program?: string | null;
    /** Reasoning effort: How much the model thinks before it answers. A level that the model refuses is omitted and recorded. */
    reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
    /** Seed for the model: Asks the model to draw the same each time. Not all providers support it. */
    seed?: number | null;
    /** Language: The language in which this participant is asked. */
    language?: "english" | "spanish" | "mandarin" | (string & {}) | null;
    /** Memory limit (characters): How long this participant's notes may become. */
    memory_character_limit?: number | null;
    /** Reasons before speaking: Thinks in private first; that takes one more call. */
    reasoning_enabled?: boolean | null;
  }[];
  /** Rankings that are asked for: Two rankings instead of four save time. */
  rankings?: "all" | "first_and_last" | null;
  /** Original study: Whether the situations of the original study are used. */
  original_values_mode?: {
    /** Situations A to D of the original study: Instead of incomes scaled by a drawn factor. */
    enabled?: boolean | null;
  } | null;
  /** Range of the income factor: Incomes in phase 1 are multiplied by a factor drawn between these. */
  distribution_range_phase1?: [number, number] | null;
  /** Probabilities of the income classes: Must add up to 1. Empty: all the same. */
  income_class_probabilities?: {
    /** high */
    high?: number | null;
    /** medium-high */
    medium_high?: number | null;
    /** medium */
    medium?: number | null;
    /** medium-low */
    medium_low?: number | null;
    /** low */
    low?: number | null;
  } | null;
  /** How often an unreadable answer is asked for again: Then it counts as no answer. */
  max_participant_retries?: number | null;
  /** Feedback when asking again: How much is explained of what could not be read. */
  retry_feedback_detail?: "concise" | "detailed" | null;
  /** Ask again: Whether an answer that cannot be read is asked for again in phase 1. */
  enable_intelligent_retries?: boolean | null;
  /** Remember failed tries: Notes are also updated after an unreadable answer. */
  memory_update_on_retry?: boolean | null;
  /** Rounds at most: Without agreement by then, chance decides the pay. */
  phase2_rounds?: number | null;
  /** Range of the income factor: The same for the group's distributions. */
  distribution_range_phase2?: [number, number] | null;
  /** Settings of phase 2: Discussion, votes, memory and time limits in the group. */
  phase2_settings?: {
    /** Always the same speaking order: Otherwise the order is drawn anew in each round. */
    use_fixed_speaking_order?: boolean | null;
    /** Nobody has the last word twice in a row: Keeps the same participant from closing every round. */
    finisher_restrictions_active?: boolean | null;
    /** Alias of `finisher_restrictions_active`. */
    randomize_finisher?: boolean | null;
    /** The last speaker of a round: What they may not do in the next round. */
    finisher_rule?: "not_last" | "neither" | null;
    /** Shortest statement (characters): Shorter ones are asked for again. */
    statement_min_length?: number | null;
    /** Alias of `statement_min_length`. */
    min_statement_length?: number | null;
    /** Shortest statement in Chinese (characters): Chinese says as much in fewer characters. */
    statement_min_length_cjk?: number | null;
    /** Alias of `statement_min_length_cjk`. */
    min_statement_length_cjk?: number | null;
    /** How often a statement that is too short is asked for again: Then the best try counts. */
    statement_validation_retries?: number | null;
    /** Alias of `statement_validation_retries`. */
    max_statement_retries?: number | null;
    /** Longest public history (characters): Beyond that the oldest part is left out of prompts. */
    public_history_max_length?: number | null;
    /** Characters per statement in prompts: 0 shows statements in full. */
    history_statement_max_chars?: number | null;
    /** Show the last round in full: Otherwise it is shortened like the others. */
    history_full_last_round?: boolean | null;
    /** Without agreement: How the pay is decided then. */
    no_consensus?: "individual_distribution" | "group_distribution" | "random_principle" | null;
    /** Who speaks when: In turns, one after the other; or all at any time, as in a chat, until the time is up. */
    turns?: "order" | "open" | null;
    /** Minutes of discussion: Length of each round, where all speak at any time. */
    minutes?: number | null;
    /** Participants at least: With fewer the run does not begin. */
    min_agents_for_experiment?: number | null;
    /** Memory: How notes of the discussion are kept. */
    memory_management?: {
      /** Form of notes: How notes of the discussion are written. */
      guidance_style?: "narrative" | "structured" | null;
      /** Characters kept of a statement: Longer statements are cut in the notes. */
      statement_max_length?: number | null;
      /** Cut long statements: Keeps notes short. */
      enable_truncation?: boolean | null;
      /** Characters kept of own reasoning: Longer reasoning is cut in the notes. */
      reasoning_max_length?: number | null;
    } | null;
    /** After a round: Rewriting takes one more call per participant. */
    discussion_memory_mode?: "append" | "llm" | null;
    /** When memory is updated: Updating after each speaker takes more calls. */
    memory_update_timing?: "per_round" | "per_speaker" | null;
    /** Votes must be identical: The same principle and, where there is one, the same amount. */
    strict?: boolean | null;
    /** Amounts this far apart count as the same (share of the average): Only if votes need not be identical. */
    constraint_tolerance?: number | null;
    /** Amounts this far apart count as the same (dollars): Replaces the share of the average. Only if votes need not be identical. */
    amount_tolerance?: number | null;
    /** Vote after each round: Otherwise a participant asks for a vote, and it is held if all take part. */
    vote_each_round?: boolean | null;
    /** Who is asked first whether to vote: The first participant who wants a vote starts it. */
    initiation_order?: "configuration" | "speaking_order" | null;
    /** Tries per yes/no question: How often the question is asked at most. */
    voting_retry_limit?: number | null;
    /** Tries for the principle on the ballot: Then the ballot is invalid. */
    principle_extraction_retries?: number | null;
    /** Alias of `principle_extraction_retries`. */
    two_stage_max_retries?: number | null;
    /** Tries for the amount on the ballot: Then the ballot is invalid. */
    amount_extraction_retries?: number | null;
    /** Smallest amount: In dollars of income. A smaller number is not read as an amount. */
    amount_min?: number | null;
    /** Alias of `amount_min`. */
    amount_min_reasonable?: number | null;
    /** Largest amount: In dollars of income. A larger number is not read as an amount. */
    amount_max?: number | null;
    /** Alias of `amount_max`. */
    amount_max_reasonable?: number | null;
    /** Statement: For what is said to all. */
    statement_timeout?: number | null;
    /** Alias of `statement_timeout`. */
    statement_timeout_seconds?: number | null;
    /** Private reasoning: For thoughts before speaking. */
    reasoning_timeout?: number | null;
    /** Alias of `reasoning_timeout`. */
    reasoning_timeout_seconds?: number | null;
    /** Start a vote?: For the first try. Later tries get more. */
    voting_initiation_timeout?: number | null;
    /** Take part?: For the first try. Later tries get more. */
    voting_confirmation_timeout?: number | null;
    /** Alias of `voting_confirmation_timeout`. */
    confirmation_timeout_seconds?: number | null;
    /** Ballot: For the first try. Later tries get more. */
    voting_secret_ballot_timeout?: number | null;
    /** Alias of `voting_secret_ballot_timeout`. */
    two_stage_timeout_seconds?: number | null;
    /** More time for each further try: 1.5 means half as much again. */
    voting_retry_backoff_factor?: number | null;
    /** Alias of `voting_retry_backoff_factor`. */
    retry_backoff_factor?: number | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    reasoning_enabled?: boolean | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    memory_validation_strict?: boolean | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    constraint_correction_enabled?: boolean | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    two_stage_voting_enabled?: boolean | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    prompt_based_voting?: boolean | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    amount_range_validation?: boolean | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    quarantine_failed_responses?: boolean | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    max_memory_retries?: number | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    reasoning_max_retries?: number | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    memory_compression_threshold?: number | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    constraint_correction_timeout_seconds?: number | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    max_constraint_correction_attempts?: number | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    log_statement_preview_length?: number | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    ballot_timeout_seconds?: number | null;
  } | null;
  /** Speaking order: How the order of each round is made. */
  speaking_order_strategy?: "random" | "fixed" | "conversational" | null;
  /** Draw the speaking order: Otherwise the order is that of the configuration. */
  randomize_speaking_order?: boolean | null;
  /** Nobody has the last word twice in a row: The same as finisher_restrictions_active in phase2_settings, which takes precedence. */
  randomize_finisher?: boolean | null;
  /** Form of notes: Default for phase2_settings.memory_management. */
  memory_guidance_style?: "narrative" | "structured" | null;
  /** Note simple events without a call: Saves calls. */
  selective_memory_updates?: boolean | null;
  /** Keep own reasoning in memory: Private thoughts are remembered, too. */
  phase2_include_internal_reasoning_in_memory?: boolean | null;
  /** Manipulator: One participant with a secret task. */
  manipulator?: {
    /** Participant: Gets the secret task to bring about the principle that the others like least. */
    name: string;
    /** How the target is found: Only the default finds a target. */
    target_strategy?: string | null;
    /** When principles tie for last place: The first of these that is among them is chosen. */
    tiebreak_order?: ("maximizing_floor" | "maximizing_average" | "maximizing_average_floor_constraint" | "maximizing_average_range_constraint")[] | null;
    [key: string]: unknown;
  } | null;
  /** Reading model: A model that reads answers in free words where the lab's rules cannot, and finds which principle a free statement supports. It must quote the answer. */
  reader?: {
    /** Model that reads unclear answers: Such as gpt-4.1-mini. Each unreadable answer takes one more call. Empty: it stays unread. */
    model: string;
    /** Its provider: Whose model reads. */
    provider?: "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq" | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra" | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible" | null;
    /** Its address: Needed only if the provider is not in the list. */
    base_url?: string | null;
    /** Its temperature: Empty: not sent. */
    temperature?: number | null;
  } | null;
  /** Reading model, by its old name: The published program's name for the reading model. Used as `reader` if the model's provider is known. */
  utility_agent_model?: string | string[] | null;
  /** Its temperature, by its old name: Temperature of `utility_agent_model`. */
  utility_agent_temperature?: number | null;
  /** Limits: Caps. The run pauses before it exceeds them. */
  limits?: {
    /** Calls in the whole run: The run pauses before it would exceed this. */
    max_calls?: number | null;
    /** Tokens in the whole run: Words sent and received, as providers count and bill them. */
    max_tokens?: number | null;
    /** Spending limit: In the currency of the prices. A call that could exceed it is not made. */
    max_cost?: number | null;
    /** Tokens per answer: About three quarters of a word each in English. */
    max_answer_tokens?: number | null;
    /** Calls at once per host: One host per line, with a number. Default: 1 for hosts on this computer, 4 for others. */
    calls_at_once?: Record<string, number> | null;
    /** Calls per minute and host: One host per line, with a number. Default: as many as the host allows. */
    calls_per_minute?: Record<string, number> | null;
    /** Keep retrying for: How long temporary failures (server down, pause requested) are retried, with growing pauses. Then the seat waits for you. */
    retry_for?: number | null;
    /** When a model fails permanently: Permanent failures are a wrong key, an empty account or an unknown model. The other seats continue where they can. */
    on_failure?: "wait" | "skip" | "stand_in" | "end" | null;
  } | null;
  /** Prices: What a million tokens of each model cost, with currency and date. */
  prices?: {
    /** Currency: Three capital letters, such as USD. */
    currency: string;
    /** Day of the prices: Such as 2026-11-22. */
    date: string;
    /** Note: Source of the prices. */
    note?: string | null;
    /** Models: By provider/model. */
    models?: Record<string, {
      /** In: Price of a million tokens sent. */
      input: number;
      /** Out: Price of a million tokens received. */
      output: number;
      /** From cache: Price of a million tokens read from the provider's cache. */
      cached?: number | null;
    }> | null;
  } | null;
  /** Prompts: Texts that replace the built-in ones, by language and key. */
  prompts?: {
    /** Texts of a language: By key of the text. */
    en?: Record<string, string> | null;
    /** Texts of a language: By key of the text. */
    es?: Record<string, string> | null;
    /** Texts of a language: By key of the text. */
    zh?: Record<string, string> | null;
  } | null;
  /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
  logging?: {
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    verbosity_level?: "minimal" | "standard" | "detailed" | "debug" | (string & {}) | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    use_colors?: boolean | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    show_progress_bars?: boolean | null;
  } | null;
  /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
  transcript_logging?: {
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    enabled?: boolean | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    output_path?: string | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    include_memory_updates?: boolean | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    include_instructions?: boolean | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    include_input_prompts?: boolean | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    include_agent_responses?: boolean | null;
  } | null;
  /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
  phase2_enhanced_transparency?: {
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    enabled?: boolean | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    detail_level?: "basic" | "enhanced" | "full" | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    include_counterfactuals?: boolean | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    include_class_assignment?: boolean | null;
    /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
    include_insights?: boolean | null;
  } | null;
  /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
  memory_update_threshold?: "minimal" | "moderate" | "comprehensive" | null;
  /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
  batch_simple_events?: boolean | null;
  /** Without effect: A setting of the published program that has no effect here. It is accepted with a warning. */
  enable_progressive_guidance?: boolean | null;
}

/** Settings with `protocol: discussion`. */
export interface DiscussionConfig {
  /** Procedure: The procedure of the run. */
  protocol: "discussion";
  /** Schema: Address of the JSON Schema for editors. No effect on a run. */
  "$schema"?: string | null;
  /** Topic: What the discussion is about. It stands above the transcript. Simulated participants know only the topics of the ready-made sessions; of others they say that they know little. */
  topic?: string | null;
  /** Rules: One rule a line. Every participant gets them. */
  rules?: string | string[] | null;
  /** Title: The name of the run in your library. */
  title?: string | null;
  /** Language: Prompts, notices and answers. */
  language?: "English" | "Spanish" | "Mandarin" | "en" | "es" | "zh" | null;
  /** Start: Whether the discussion waits for a first message. */
  start?: "message" | "at_once" | null;
  /** Condition: Condition of a study, for example "control". It appears in the tables and has no effect on the run. */
  condition?: string | null;
  /** Study: Place of the run in the plan of a study, which writes it. It appears in the tables and has no effect on the run. */
  study?: {
    /** Study: Name of the study. */
    id: string;
    /** Cell: The level of each factor. */
    cell: Record<string, string>;
    /** Repetition: Number of the run in its cell, from 1. */
    repetition: number;
    /** Guests who may leave: How many guests may leave a table of people before it is void. */
    leavers?: number | null;
  } | null;
  /** Answers of models: A given form is read with certainty: models answer in JSON, or with a last line in a fixed form if they cannot. */
  answers?: "free" | "structured" | null;
  /** Seed: The same seed gives the same draws. */
  seed?: number | null;
  /** Participants: The seats at the table. */
  agents?: {
    /** Name: Unique at the table, 60 characters at most. */
    name: string;
    /** Who answers: A built-in program, a language model, or a person at this screen. */
    kind?: "scripted" | "model" | "human" | "custom" | "recorded" | null;
    /** Role: The prompt names the role. The discussion waits for a “person”. */
    role?: "manager" | "leader" | "specialist" | "user" | null;
    /** Personality: Who this is and what counts for them, in a sentence or two. */
    personality?: string | null;
    /** Alias of `personality`. */
    system_prompt?: string | null;
    /** Provider: Whose model answers. Keys are entered below. */
    provider?: "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq" | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra" | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible" | null;
    /** Model: The name that the provider uses, such as gpt-4.1-mini. */
    model?: string | string[] | null;
    /** Base URL: Address of the model. Empty: derived from the model's name. */
    base_url?: string | null;
    /** Temperature: 0 answers almost the same each time, 2 very freely. */
    temperature?: number | null;
    /** Model, in the older form: An object with provider (groq or openai), model and sampling. */
    ai_model_config?: unknown | null;
    /** Place: Smaller numbers speak first. */
    sequence_order?: number | null;
    /** If it fails permanently: Models to use after a permanent failure. Without any, the run stops and asks you. A change of model is recorded. */
    fallback?: {
      /** Model: The name that the provider uses. */
      model: string;
      /** Provider: Whose model answers. */
      provider?: "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq" | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra" | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible" | null;
      /** Base URL: Address of the model. */
      base_url?: string | null;
    }[] | null;
    /** Plays back: Answers that this seat, or the named one, gave in a saved session. If an answer is missing, the run stops. */
    plays?: {
      /** Saved session: The session to take answers from. */
      session: string;
      /** Whose answers: Default: the seat of the same name. */
      seat?: string | null;
    } | null;
    /** Run by: How the model runs inside this page. Other pages may bring programs of their own. */
    program?: string | null;
    /** Reasoning effort: How much the model thinks before it answers. A level that the model refuses is omitted and recorded. */
    reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
    /** Seed for the model: Asks the model to draw the same each time. Not all providers support it. */
    seed?: number | null;
    /** Language: The language in which this participant is asked. */
    language?: "english" | "spanish" | "mandarin" | (string & {}) | null;
  }[] | null;
  /** Speaking order: Places in the speaking order, if it differs from the list of participants. */
  participants?: {
    /** Role: The prompt names the role. The discussion waits for a “person”. */
    role: "manager" | "leader" | "specialist" | "user";
    /** Participant: Name of the participant in this place. */
    agent?: string | null;
    /** Alias of `agent`. */
    agent_id?: string | null;
    /** Place: Smaller numbers speak first. */
    sequence_order?: number | null;
  }[] | null;
  /** Who speaks when: In turns, one after the other; or all at any time, as in a chat, until the time is up. */
  turns?: "order" | "open" | null;
  /** Minutes: The discussion ends then. You can close it earlier. */
  minutes?: number | null;
  /** Rounds: In a round each participant has one turn. */
  rounds?: number | null;
  /** Alias of `rounds`. */
  max_discussion_rounds?: number | null;
  /** Turns in a row without a person: After that the discussion waits for you. */
  turns_per_call?: number | null;
  /** Alias of `turns_per_call`. */
  max_turn_iterations?: number | null;
  /** Finish the last round: Otherwise the discussion ends when only people have not spoken yet in the last round. */
  require_closing_message?: boolean | null;
  /** Lines per contribution, at most: 0: no limit. Without rules of your own the limit is 3. */
  max_lines?: number | null;
  /** Contributions that are remembered: How many of the latest ones each participant reads again. 0: none. */
  history_window?: number | null;
  /** Texts that end a contribution: One a line; \n stands for a line break. Keeps a participant from speaking for others. */
  stop_sequences?: string | string[] | null;
  /** Time for a turn: For the first try. Later tries get more. */
  turn_timeout?: number | null;
  /** Tries for a turn: Then the discussion pauses with a message. */
  timeout_tries?: number | null;
  /** More time for each further try: 1.5 means half as much again. */
  retry_backoff_factor?: number | null;
  /** Limits: Caps. The run pauses before it exceeds them. */
  limits?: {
    /** Calls in the whole run: The run pauses before it would exceed this. */
    max_calls?: number | null;
    /** Tokens in the whole run: Words sent and received, as providers count and bill them. */
    max_tokens?: number | null;
    /** Spending limit: In the currency of the prices. A call that could exceed it is not made. */
    max_cost?: number | null;
    /** Tokens per answer: About three quarters of a word each in English. */
    max_answer_tokens?: number | null;
    /** Calls at once per host: One host per line, with a number. Default: 1 for hosts on this computer, 4 for others. */
    calls_at_once?: Record<string, number> | null;
    /** Calls per minute and host: One host per line, with a number. Default: as many as the host allows. */
    calls_per_minute?: Record<string, number> | null;
    /** Keep retrying for: How long temporary failures (server down, pause requested) are retried, with growing pauses. Then the seat waits for you. */
    retry_for?: number | null;
    /** When a model fails permanently: Permanent failures are a wrong key, an empty account or an unknown model. The other seats continue where they can. */
    on_failure?: "wait" | "skip" | "stand_in" | "end" | null;
  } | null;
  /** Prices: What a million tokens of each model cost, with currency and date. */
  prices?: {
    /** Currency: Three capital letters, such as USD. */
    currency: string;
    /** Day of the prices: Such as 2026-11-22. */
    date: string;
    /** Note: Source of the prices. */
    note?: string | null;
    /** Models: By provider/model. */
    models?: Record<string, {
      /** In: Price of a million tokens sent. */
      input: number;
      /** Out: Price of a million tokens received. */
      output: number;
      /** From cache: Price of a million tokens read from the provider's cache. */
      cached?: number | null;
    }> | null;
  } | null;
  /** Prompts: Texts that replace the built-in ones, by language and key. */
  prompts?: {
    /** Texts of a language: By key of the text. */
    en?: Record<string, string> | null;
    /** Texts of a language: By key of the text. */
    es?: Record<string, string> | null;
    /** Texts of a language: By key of the text. */
    zh?: Record<string, string> | null;
  } | null;
}

/** Settings with `protocol: debate`. */
export interface DebateConfig {
  /** Procedure: The procedure of the run. */
  protocol: "debate";
  /** Schema: Address of the JSON Schema for editors. No effect on a run. */
  "$schema"?: string | null;
  /** Question: Best is a question with more than one good answer. It may be as long as a page. Simulated participants know only the questions of the ready-made sessions; of others they say that they know little. */
  question: string;
  /** Title: The name of the run in your library. */
  title?: string | null;
  /** Language: Prompts, notices and answers. */
  language?: "English" | "Spanish" | "Mandarin" | "en" | "es" | "zh" | null;
  /** Field of knowledge: Helps to pick the team. Each field has its own ratings. */
  domain?: string | null;
  /** Material: Texts that all participants may read. The prompts warn them not to follow instructions in these texts. */
  context?: string | {
    /** Title: What the text is. */
    title?: string | null;
    /** Text: What all participants may read. */
    text: string;
    /** Origin: Such as the name of a file. */
    origin?: string | null;
  }[] | null;
  /** Room for material: In tokens, about three quarters of a word each. What does not fit is left out. */
  context_tokens?: number | null;
  /** Where else to look: Results are given to all as material before the first round. Default: the knowledge library and earlier debates. */
  sources?: {
    /** Kind: Where material is looked for. */
    kind: "knowledge" | "debates" | "feed" | "program";
    /** Name: If this kind needs one. */
    name?: string | null;
    /** Address: Address of a feed. Write a secret in it as {key} and enter it as the key of that host. */
    url?: string | null;
    /** Items at most: Per source. */
    limit?: number | null;
    /** Time limit: Then the debate continues without it. */
    timeout_seconds?: number | null;
  }[] | null;
  /** Condition: Condition of a study, for example "control". It appears in the tables and has no effect on the run. */
  condition?: string | null;
  /** Study: Place of the run in the plan of a study, which writes it. It appears in the tables and has no effect on the run. */
  study?: {
    /** Study: Name of the study. */
    id: string;
    /** Cell: The level of each factor. */
    cell: Record<string, string>;
    /** Repetition: Number of the run in its cell, from 1. */
    repetition: number;
    /** Guests who may leave: How many guests may leave a table of people before it is void. */
    leavers?: number | null;
  } | null;
  /** Answers of models: A given form is read with certainty: models answer in JSON, or with a last line in a fixed form if they cannot. */
  answers?: "free" | "structured" | null;
  /** Seed: The same seed gives the same draws. */
  seed?: number | null;
  /** Participants: The seats at the table. */
  agents: {
    /** Name: Unique at the table, 60 characters at most. */
    name: string;
    /** Who answers: A built-in program, a language model, or a person at this screen. */
    kind?: "scripted" | "model" | "human" | "custom" | "recorded" | null;
    /** Role: All except the judge criticise and vote. */
    role?: "proposer" | "synthesizer" | "critic" | "judge" | null;
    /** Stance: The position that the prompt asks this participant to take. */
    stance?: "neutral" | "affirmative" | "negative" | null;
    /** Personality: Who this is and what counts for them, in a sentence or two. */
    personality?: string | null;
    /** Provider: Whose model answers. Keys are entered below. */
    provider?: "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq" | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra" | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible" | null;
    /** Model: The name that the provider uses, such as gpt-4.1-mini. */
    model?: string | string[] | null;
    /** Base URL: Address of the model. Empty: derived from the model's name. */
    base_url?: string | null;
    /** Temperature: 0 answers almost the same each time, 2 very freely. */
    temperature?: number | null;
    /** If it fails permanently: Models to use after a permanent failure. Without any, the run stops and asks you. A change of model is recorded. */
    fallback?: {
      /** Model: The name that the provider uses. */
      model: string;
      /** Provider: Whose model answers. */
      provider?: "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq" | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra" | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible" | null;
      /** Base URL: Address of the model. */
      base_url?: string | null;
    }[] | null;
    /** Plays back: Answers that this seat, or the named one, gave in a saved session. If an answer is missing, the run stops. */
    plays?: {
      /** Saved session: The session to take answers from. */
      session: string;
      /** Whose answers: Default: the seat of the same name. */
      seat?: string | null;
    } | null;
    /** Run by: How the model runs inside this page. Other pages may bring programs of their own. */
    program?: string | null;
    /** Reasoning effort: How much the model thinks before it answers. A level that the model refuses is omitted and recorded. */
    reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
    /** Seed for the model: Asks the model to draw the same each time. Not all providers support it. */
    seed?: number | null;
    /** Language: The language in which this participant is asked. */
    language?: "english" | "spanish" | "mandarin" | (string & {}) | null;
  }[];
  /** Order of the rounds: The usual nine rounds suit most questions. For a short debate set your own, such as six. */
  schedule?: "nine_rounds" | "classic" | {
    /** Step: What is done in the round. */
    kind: "context" | "propose" | "critique" | "revise" | "refine" | "vote" | "judge";
    /** Number: Several steps may share a number. */
    number?: number | null;
    /** Compare proposals at its end: Usual after revisions. */
    converge?: boolean | null;
  }[] | null;
  /** Extra rounds at most: If the judge finds that the matter is not settled. */
  max_extended_rounds?: number | null;
  /** New critiques before each revision: Takes more calls, and checks the changes. */
  recritique_each_revision?: boolean | null;
  /** Who criticises whom: The fewer, the faster and cheaper. */
  topology?: "all-to-all" | "sparse" | "round-robin" | "ring" | "star" | "random-graph" | "adaptive" | null;
  /** Share of the others who criticise: 0.5 is half of them; always at least one. */
  topology_sparsity?: number | null;
  /** In the middle: Criticises all, and is criticised by all. */
  topology_hub_agent?: string | null;
  /** Seats that take part: The best ones for the question are picked. Empty: all. */
  team_size?: number | null;
  /** Who fits which field: By field of knowledge: parts of names of participants and models, best first. */
  domain_patterns?: Record<string, string[]> | null;
  /** End early when the proposals become one: Proposals are compared after each revision: their words, or with an embedding model their meaning. */
  convergence_detection?: boolean | null;
  /** Similar enough to count as one: 1: the same words; 0: none in common. */
  convergence_threshold?: number | null;
  /** What is compared: The proposals with each other, or each with its previous version. */
  convergence_metric?: "inter_agent" | "self_stability" | "both" | null;
  /** Below this they are far apart: Less similar proposals count as far apart. */
  divergence_threshold?: number | null;
  /** How similarity is measured: Method for comparing proposals, votes and choices. */
  similarity?: "auto" | "tfidf" | "jaccard" | null;
  /** Ask whether to stop early: After a round all are asked whether another one would help. */
  early_stopping?: boolean | null;
  /** Share that must want to stop: Share of the answers. */
  early_stop_threshold?: number | null;
  /** Ask whether to stop from this round on: Empty: before the last revision, or after all rounds. */
  min_rounds_before_early_stop?: number | null;
  /** Ask whether a proposal is final: If all say so, there are no further revisions. */
  enable_ready_signals?: boolean | null;
  /** Comparison by meaning: A model that turns proposals into vectors. */
  embeddings?: {
    /** Model for comparing by meaning: An embedding model, such as text-embedding-3-small. Empty: words are compared. */
    model: string;
    /** Its address: An endpoint with /embeddings, such as https://api.openai.com/v1. It gets the proposals. */
    base_url: string;
    /** Time limit: For one answer. */
    timeout_seconds?: number | null;
  } | null;
  /** Reading model: A model that reads answers in free words where the lab's rules cannot, and finds which principle a free statement supports. It must quote the answer. */
  reader?: {
    /** Model that reads unclear answers: Such as gpt-4.1-mini. Each unreadable answer takes one more call. Empty: it stays unread. */
    model: string;
    /** Its provider: Whose model reads. */
    provider?: "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq" | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra" | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible" | null;
    /** Its address: Needed only if the provider is not in the list. */
    base_url?: string | null;
    /** Its temperature: Empty: not sent. */
    temperature?: number | null;
  } | null;
  /** Who decides: There is always a vote, and the judge scores the proposals without names. The judge decides only if chosen here, even against the votes. */
  consensus?: "majority" | "supermajority" | "unanimous" | "weighted" | "judge" | "any" | "none" | "byzantine" | null;
  /** Share of the votes needed: 0.6 is six of ten. Always more than half, and more than one voter. Also applies if the judge gives no verdict. */
  consensus_threshold?: number | null;
  /** Who judges: Applies only if no participant has the role of judge. */
  judge_selection?: "random" | "last" | "elo_ranked" | "calibrated" | null;
  /** A failed vote counts against: Only if all must agree. */
  failed_is_dissent?: boolean | null;
  /** Share that must vote: Otherwise there is no decision. */
  min_participation_ratio?: number | null;
  /** Votes needed: Votes for a proposal. Abstentions do not count. Applies to small tables, too. */
  min_participation_count?: number | null;
  /** Ratings before the debate: They break ties and help to choose the judge. 1500 is the middle; empty: unknown. */
  ratings?: Record<string, number | {
    /** Rating: 1500 is the middle. */
    elo?: number | null;
    /** Brier score: How far confidence was off, squared; 0 is perfect. */
    brier?: number | null;
    /** Predictions: Number of votes behind the Brier score. */
    predictions?: number | null;
    /** Debates so far: Number of debates of this participant. */
    debates?: number | null;
  }> | null;
  /** Contradict or seek agreement: How the prompts ask participants to treat the others' proposals. */
  agreement_intensity?: number | null;
  /** Ways of thinking take turns: In each round everybody gets another one: analyst, sceptic, and so on. */
  role_rotation?: boolean | null;
  /** Trickster: Steps in if all agree without reasons. It advises, unless it may veto. */
  enable_trickster?: boolean | null;
  /** How soon the trickster steps in: 0: seldom; 1: at the slightest sign. */
  trickster_sensitivity?: number | null;
  /** The trickster may veto: An agreement that it finds hollow must stand another round before it ends the debate. */
  trickster_veto?: boolean | null;
  /** How many rounds the trickster may hold up an agreement: Then an agreement stands. */
  trickster_max_blocked_rounds?: number | null;
  /** Note ways of speaking: Concessions, rebuttals, evidence and so on are marked. Changes nothing in the debate. */
  enable_rhetorical_observer?: boolean | null;
  /** When the debate has ended: The result leaves this browser only if you choose so here or on the results page. */
  after?: {
    /** Where to: What to do with the result. */
    do: "opener" | "embed" | "broadcast" | "webhook" | "download" | "notify";
    /** Origin of the page: Scheme, host and port of the receiving page. */
    origin?: string | null;
    /** Address: Receives the result by POST. Write a secret in it as {key} and enter it as the key of that host. */
    url?: string | null;
    /** Condition: Send only then. */
    when?: {
      /** With a consensus: true: only with one; false: only without. */
      consensus?: boolean | null;
      /** Confidence at least: Confidence in the decision. */
      min_confidence?: number | null;
    } | null;
  }[] | null;
  /** Time for an answer: For the first try. Later tries get more. */
  timeout_seconds?: number | null;
  /** More time for each further try: 1.5 means half as much again. */
  retry_backoff_factor?: number | null;
  /** Pause a seat that keeps failing: It is asked again later. */
  enable_circuit_breaker?: boolean | null;
  /** Questions at once: How many are asked at the same time, by step. */
  at_once?: {
    /** Proposals and votes at once: How many are asked at the same time. */
    proposals?: number | null;
    /** Critiques at once: How many are asked at the same time. */
    critiques?: number | null;
    /** Revisions at once: How many are asked at the same time. */
    revisions?: number | null;
  } | null;
  /** Weight of a person's vote: A model's vote weighs 1. */
  user_vote_weight?: number | null;
  /** Treat votes for one's own proposal separately: Otherwise they count like all others. */
  enable_self_vote_mitigation?: boolean | null;
  /** Votes for one's own proposal: How they are counted. */
  self_vote_mode?: "downweight" | "exclude" | "log_only" | null;
  /** Weight of such a vote: 1 is a whole vote. */
  self_vote_downweight?: number | null;
  /** Votes for long proposals count less: So that a proposal does not win by its length. */
  enable_verbosity_normalization?: boolean | null;
  /** Desired length: Votes for a proposal of this length lose nothing. */
  verbosity_target_length?: number | null;
  /** Votes lose weight from how many times that length: 3: from three times as long on. */
  verbosity_penalty_threshold?: number | null;
  /** Weight that a vote loses at most: 0.3 is three tenths. */
  verbosity_max_penalty?: number | null;
  /** Votes that cite evidence count more: Only if the evidence exists. */
  enable_evidence_weighting?: boolean | null;
  /** What a piece of evidence adds: To the proposal that it supports. */
  evidence_citation_bonus?: number | null;
  /** Merge similar choices: Free-text choices with the same meaning count as one. */
  vote_grouping?: boolean | null;
  /** How similar they must be: 1: identical words. */
  vote_grouping_threshold?: number | null;
  /** Further proposals at most: If the first proposal finds no agreement. */
  byzantine_max_view_changes?: number | null;
  /** Ask the judge whether the matter is settled: If so, further rounds may be skipped. */
  judge_termination?: boolean | null;
  /** Ask the judge from this round on: Not before. */
  min_rounds_before_judge_check?: number | null;
  /** End when votes no longer change: They are compared from round to round. */
  enable_stability_detection?: boolean | null;
  /** How stable they must be: 1: unchanged. */
  stability_threshold?: number | null;
  /** Largest difference allowed: Between the votes of two rounds. */
  stability_ks_threshold?: number | null;
  /** Stable rounds in a row: Number of rounds. */
  stability_min_stable_rounds?: number | null;
  /** Limits: Caps. The run pauses before it exceeds them. */
  limits?: {
    /** Calls in the whole run: The run pauses before it would exceed this. */
    max_calls?: number | null;
    /** Tokens in the whole run: Words sent and received, as providers count and bill them. */
    max_tokens?: number | null;
    /** Spending limit: In the currency of the prices. A call that could exceed it is not made. */
    max_cost?: number | null;
    /** Tokens per answer: About three quarters of a word each in English. */
    max_answer_tokens?: number | null;
    /** Calls at once per host: One host per line, with a number. Default: 1 for hosts on this computer, 4 for others. */
    calls_at_once?: Record<string, number> | null;
    /** Calls per minute and host: One host per line, with a number. Default: as many as the host allows. */
    calls_per_minute?: Record<string, number> | null;
    /** Keep retrying for: How long temporary failures (server down, pause requested) are retried, with growing pauses. Then the seat waits for you. */
    retry_for?: number | null;
    /** When a model fails permanently: Permanent failures are a wrong key, an empty account or an unknown model. The other seats continue where they can. */
    on_failure?: "wait" | "skip" | "stand_in" | "end" | null;
  } | null;
  /** Prices: What a million tokens of each model cost, with currency and date. */
  prices?: {
    /** Currency: Three capital letters, such as USD. */
    currency: string;
    /** Day of the prices: Such as 2026-11-22. */
    date: string;
    /** Note: Source of the prices. */
    note?: string | null;
    /** Models: By provider/model. */
    models?: Record<string, {
      /** In: Price of a million tokens sent. */
      input: number;
      /** Out: Price of a million tokens received. */
      output: number;
      /** From cache: Price of a million tokens read from the provider's cache. */
      cached?: number | null;
    }> | null;
  } | null;
  /** Prompts: Texts that replace the built-in ones, by language and key. */
  prompts?: {
    /** Texts of a language: By key of the text. */
    en?: Record<string, string> | null;
    /** Texts of a language: By key of the text. */
    es?: Record<string, string> | null;
    /** Texts of a language: By key of the text. */
    zh?: Record<string, string> | null;
  } | null;
}

/** Settings with `protocol: delphi`. */
export interface DelphiConfig {
  /** Procedure: The procedure of the run. */
  protocol: "delphi";
  /** Schema: Address of the JSON Schema for editors. No effect on a run. */
  "$schema"?: string | null;
  /** Question: Best is a question with more than one good answer. It may be as long as a page. Simulated participants know only the questions of the ready-made sessions; of others they say that they know little. */
  question: string;
  /** Unit: What the number counts, such as % or hours. */
  unit?: string | null;
  /** Smallest estimate allowed: A smaller number is not accepted; the question is asked again. */
  minimum?: number | null;
  /** Largest estimate allowed: A larger number is not accepted; the question is asked again. */
  maximum?: number | null;
  /** True value: If it is known. Everybody sees it after the end; until then only you do. */
  true_value?: number | null;
  /** Source of the true value: Shown beside it, such as a publication with its year. */
  true_value_source?: string | null;
  /** Title: The name of the run in your library. */
  title?: string | null;
  /** Language: Prompts, notices and answers. */
  language?: "English" | "Spanish" | "Mandarin" | "en" | "es" | "zh" | null;
  /** Condition: Condition of a study, for example "control". It appears in the tables and has no effect on the run. */
  condition?: string | null;
  /** Study: Place of the run in the plan of a study, which writes it. It appears in the tables and has no effect on the run. */
  study?: {
    /** Study: Name of the study. */
    id: string;
    /** Cell: The level of each factor. */
    cell: Record<string, string>;
    /** Repetition: Number of the run in its cell, from 1. */
    repetition: number;
    /** Guests who may leave: How many guests may leave a table of people before it is void. */
    leavers?: number | null;
  } | null;
  /** Answers of models: A given form is read with certainty: models answer in JSON, or with a last line in a fixed form if they cannot. */
  answers?: "free" | "structured" | null;
  /** Seed: The same seed gives the same draws. */
  seed?: number | null;
  /** Participants: The seats at the table. */
  agents: {
    /** Name: Unique at the table, 60 characters at most. */
    name: string;
    /** Who answers: A built-in program, a language model, or a person at this screen. */
    kind?: "scripted" | "model" | "human" | "custom" | "recorded" | null;
    /** Personality: Who this is and what counts for them, in a sentence or two. */
    personality?: string | null;
    /** Provider: Whose model answers. Keys are entered below. */
    provider?: "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq" | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra" | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible" | null;
    /** Model: The name that the provider uses, such as gpt-4.1-mini. */
    model?: string | string[] | null;
    /** Base URL: Address of the model. Empty: derived from the model's name. */
    base_url?: string | null;
    /** Temperature: 0 answers almost the same each time, 2 very freely. */
    temperature?: number | null;
    /** If it fails permanently: Models to use after a permanent failure. Without any, the run stops and asks you. A change of model is recorded. */
    fallback?: {
      /** Model: The name that the provider uses. */
      model: string;
      /** Provider: Whose model answers. */
      provider?: "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq" | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra" | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible" | null;
      /** Base URL: Address of the model. */
      base_url?: string | null;
    }[] | null;
    /** Plays back: Answers that this seat, or the named one, gave in a saved session. If an answer is missing, the run stops. */
    plays?: {
      /** Saved session: The session to take answers from. */
      session: string;
      /** Whose answers: Default: the seat of the same name. */
      seat?: string | null;
    } | null;
    /** Run by: How the model runs inside this page. Other pages may bring programs of their own. */
    program?: string | null;
    /** Reasoning effort: How much the model thinks before it answers. A level that the model refuses is omitted and recorded. */
    reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
    /** Seed for the model: Asks the model to draw the same each time. Not all providers support it. */
    seed?: number | null;
    /** Language: The language in which this participant is asked. */
    language?: "english" | "spanish" | "mandarin" | (string & {}) | null;
  }[];
  /** Reading model: A model that reads answers in free words where the lab's rules cannot, and finds which principle a free statement supports. It must quote the answer. */
  reader?: {
    /** Model that reads unclear answers: Such as gpt-4.1-mini. Each unreadable answer takes one more call. Empty: it stays unread. */
    model: string;
    /** Its provider: Whose model reads. */
    provider?: "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq" | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra" | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible" | null;
    /** Its address: Needed only if the provider is not in the list. */
    base_url?: string | null;
    /** Its temperature: Empty: not sent. */
    temperature?: number | null;
  } | null;
  /** Rounds: In a round each participant has one turn. */
  rounds?: number | null;
  /** Close enough: From the second round on, the poll ends when the middle half of the estimates spans no more than this, in the unit of the question. */
  close_enough?: number | null;
  /** Show the reasons to all, without names: In an order drawn by lot. */
  share_reasons?: boolean | null;
  /** Attempts at an answer: How often a question is asked at most, until its answer can be read. */
  attempts?: number | null;
  /** Time for an estimate: For the first try. Later tries get more. */
  estimate_timeout?: number | null;
  /** Limits: Caps. The run pauses before it exceeds them. */
  limits?: {
    /** Calls in the whole run: The run pauses before it would exceed this. */
    max_calls?: number | null;
    /** Tokens in the whole run: Words sent and received, as providers count and bill them. */
    max_tokens?: number | null;
    /** Spending limit: In the currency of the prices. A call that could exceed it is not made. */
    max_cost?: number | null;
    /** Tokens per answer: About three quarters of a word each in English. */
    max_answer_tokens?: number | null;
    /** Calls at once per host: One host per line, with a number. Default: 1 for hosts on this computer, 4 for others. */
    calls_at_once?: Record<string, number> | null;
    /** Calls per minute and host: One host per line, with a number. Default: as many as the host allows. */
    calls_per_minute?: Record<string, number> | null;
    /** Keep retrying for: How long temporary failures (server down, pause requested) are retried, with growing pauses. Then the seat waits for you. */
    retry_for?: number | null;
    /** When a model fails permanently: Permanent failures are a wrong key, an empty account or an unknown model. The other seats continue where they can. */
    on_failure?: "wait" | "skip" | "stand_in" | "end" | null;
  } | null;
  /** Prices: What a million tokens of each model cost, with currency and date. */
  prices?: {
    /** Currency: Three capital letters, such as USD. */
    currency: string;
    /** Day of the prices: Such as 2026-11-22. */
    date: string;
    /** Note: Source of the prices. */
    note?: string | null;
    /** Models: By provider/model. */
    models?: Record<string, {
      /** In: Price of a million tokens sent. */
      input: number;
      /** Out: Price of a million tokens received. */
      output: number;
      /** From cache: Price of a million tokens read from the provider's cache. */
      cached?: number | null;
    }> | null;
  } | null;
  /** Prompts: Texts that replace the built-in ones, by language and key. */
  prompts?: {
    /** Texts of a language: By key of the text. */
    en?: Record<string, string> | null;
    /** Texts of a language: By key of the text. */
    es?: Record<string, string> | null;
    /** Texts of a language: By key of the text. */
    zh?: Record<string, string> | null;
  } | null;
}

/** Settings with `protocol: jury`. */
export interface JuryConfig {
  /** Procedure: The procedure of the run. */
  protocol: "jury";
  /** Schema: Address of the JSON Schema for editors. No effect on a run. */
  "$schema"?: string | null;
  /** Charge: A question such as “Did the hamster eat the homework?” The jury answers it with guilty or not guilty. */
  charge: string;
  /** Opening statement of the prosecution: What this side wants to show. */
  prosecution: string;
  /** Opening statement of the defence: What the other side wants to show. */
  defence: string;
  /** Evidence: 1 to 12 items, shown one by one. After each the jurors vote on what they think so far. Simulated jurors know where an item points if it has a number `leans` from -1 (not guilty) to 1 (guilty) in the configuration; nobody else sees it. */
  evidence: {
    /** Title: A few words, such as “The locked cage”. */
    title?: string | null;
    /** Text: What the jurors are shown. */
    text: string;
    /** Where it points: From -1 (not guilty) to 1 (guilty). Only simulated jurors know it. */
    leans?: number | null;
  }[];
  /** Title: The name of the run in your library. */
  title?: string | null;
  /** Language: Prompts, notices and answers. */
  language?: "English" | "Spanish" | "Mandarin" | "en" | "es" | "zh" | null;
  /** Condition: Condition of a study, for example "control". It appears in the tables and has no effect on the run. */
  condition?: string | null;
  /** Study: Place of the run in the plan of a study, which writes it. It appears in the tables and has no effect on the run. */
  study?: {
    /** Study: Name of the study. */
    id: string;
    /** Cell: The level of each factor. */
    cell: Record<string, string>;
    /** Repetition: Number of the run in its cell, from 1. */
    repetition: number;
    /** Guests who may leave: How many guests may leave a table of people before it is void. */
    leavers?: number | null;
  } | null;
  /** Answers of models: A given form is read with certainty: models answer in JSON, or with a last line in a fixed form if they cannot. */
  answers?: "free" | "structured" | null;
  /** Seed: The same seed gives the same draws. */
  seed?: number | null;
  /** Participants: The seats at the table. */
  agents: {
    /** Name: Unique at the table, 60 characters at most. */
    name: string;
    /** Who answers: A built-in program, a language model, or a person at this screen. */
    kind?: "scripted" | "model" | "human" | "custom" | "recorded" | null;
    /** Personality: Who this is and what counts for them, in a sentence or two. */
    personality?: string | null;
    /** Provider: Whose model answers. Keys are entered below. */
    provider?: "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq" | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra" | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible" | null;
    /** Model: The name that the provider uses, such as gpt-4.1-mini. */
    model?: string | string[] | null;
    /** Base URL: Address of the model. Empty: derived from the model's name. */
    base_url?: string | null;
    /** Temperature: 0 answers almost the same each time, 2 very freely. */
    temperature?: number | null;
    /** If it fails permanently: Models to use after a permanent failure. Without any, the run stops and asks you. A change of model is recorded. */
    fallback?: {
      /** Model: The name that the provider uses. */
      model: string;
      /** Provider: Whose model answers. */
      provider?: "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq" | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra" | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible" | null;
      /** Base URL: Address of the model. */
      base_url?: string | null;
    }[] | null;
    /** Plays back: Answers that this seat, or the named one, gave in a saved session. If an answer is missing, the run stops. */
    plays?: {
      /** Saved session: The session to take answers from. */
      session: string;
      /** Whose answers: Default: the seat of the same name. */
      seat?: string | null;
    } | null;
    /** Run by: How the model runs inside this page. Other pages may bring programs of their own. */
    program?: string | null;
    /** Reasoning effort: How much the model thinks before it answers. A level that the model refuses is omitted and recorded. */
    reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
    /** Seed for the model: Asks the model to draw the same each time. Not all providers support it. */
    seed?: number | null;
    /** Language: The language in which this participant is asked. */
    language?: "english" | "spanish" | "mandarin" | (string & {}) | null;
  }[];
  /** Reading model: A model that reads answers in free words where the lab's rules cannot, and finds which principle a free statement supports. It must quote the answer. */
  reader?: {
    /** Model that reads unclear answers: Such as gpt-4.1-mini. Each unreadable answer takes one more call. Empty: it stays unread. */
    model: string;
    /** Its provider: Whose model reads. */
    provider?: "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq" | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra" | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible" | null;
    /** Its address: Needed only if the provider is not in the list. */
    base_url?: string | null;
    /** Its temperature: Empty: not sent. */
    temperature?: number | null;
  } | null;
  /** Show how many voted for what: After each straw vote. Names are never shown. */
  show_counts?: boolean | null;
  /** Rounds: In a round each participant has one turn. */
  rounds?: number | null;
  /** A verdict needs: Counted over all jurors, including those who do not vote. */
  needed?: "unanimous" | "ten_of_twelve" | null;
  /** Ballots at most: Without a verdict the jury talks for another round and votes again. After the last ballot the trial ends without a verdict. */
  ballots?: number | null;
  /** Show who voted for what: After each ballot on the verdict. */
  open_ballot?: boolean | null;
  /** Attempts at an answer: How often a question is asked at most, until its answer can be read. */
  attempts?: number | null;
  /** Time for an answer: For the first try. Later tries get more. */
  answer_timeout?: number | null;
  /** Limits: Caps. The run pauses before it exceeds them. */
  limits?: {
    /** Calls in the whole run: The run pauses before it would exceed this. */
    max_calls?: number | null;
    /** Tokens in the whole run: Words sent and received, as providers count and bill them. */
    max_tokens?: number | null;
    /** Spending limit: In the currency of the prices. A call that could exceed it is not made. */
    max_cost?: number | null;
    /** Tokens per answer: About three quarters of a word each in English. */
    max_answer_tokens?: number | null;
    /** Calls at once per host: One host per line, with a number. Default: 1 for hosts on this computer, 4 for others. */
    calls_at_once?: Record<string, number> | null;
    /** Calls per minute and host: One host per line, with a number. Default: as many as the host allows. */
    calls_per_minute?: Record<string, number> | null;
    /** Keep retrying for: How long temporary failures (server down, pause requested) are retried, with growing pauses. Then the seat waits for you. */
    retry_for?: number | null;
    /** When a model fails permanently: Permanent failures are a wrong key, an empty account or an unknown model. The other seats continue where they can. */
    on_failure?: "wait" | "skip" | "stand_in" | "end" | null;
  } | null;
  /** Prices: What a million tokens of each model cost, with currency and date. */
  prices?: {
    /** Currency: Three capital letters, such as USD. */
    currency: string;
    /** Day of the prices: Such as 2026-11-22. */
    date: string;
    /** Note: Source of the prices. */
    note?: string | null;
    /** Models: By provider/model. */
    models?: Record<string, {
      /** In: Price of a million tokens sent. */
      input: number;
      /** Out: Price of a million tokens received. */
      output: number;
      /** From cache: Price of a million tokens read from the provider's cache. */
      cached?: number | null;
    }> | null;
  } | null;
  /** Prompts: Texts that replace the built-in ones, by language and key. */
  prompts?: {
    /** Texts of a language: By key of the text. */
    en?: Record<string, string> | null;
    /** Texts of a language: By key of the text. */
    es?: Record<string, string> | null;
    /** Texts of a language: By key of the text. */
    zh?: Record<string, string> | null;
  } | null;
}

/** A configuration of any procedure. */
export type Config = JusticeConfig | DiscussionConfig | DebateConfig | DelphiConfig | JuryConfig;

/** Settings of a room. */
export interface RoomPlan {
  /** The configuration of a table, as above. Its seed is the room's seed. A room has either this or `study`. */
  session?: Config | null;
  /** A [study](study.md#with-people) whose runs are the tables. All other settings except `shard` are then those of the study's part `people`. */
  study?: StudyFile | null;
  /** `[i, n]`: this room holds part i of n of the study's tables, i from 0. Default: all. */
  shard?: number[] | null;
  /** Maximum number of tables. As many start as there are people for. */
  tables?: number | null;
  /** Seed for pseudonyms, random seats and each table's own seed. */
  seed?: number | null;
  /** Title above every page of the room. */
  title?: string | null;
  /** Language of the room's own questions and of pseudonyms. People may choose another for their page. */
  language?: "English" | "Spanish" | "Mandarin" | "en" | "es" | "zh" | null;
  /** People at a table. Default: as many as the configuration has. Seats of kind `human` are taken first, then others in their order. */
  people?: number | null;
  /** Minimum of people at a table; with fewer it does not start. */
  least?: number | null;
  /** Fill seats without a person with simulated participants; otherwise only full tables start. */
  fill?: boolean | null;
  /** How people get their seats: in order of arrival, at random, or assigned by the host. */
  deal?: "arrival" | "random" | "hand" | null;
  /** `own`: ask people for a name. The record contains pseudonyms in any case. */
  names?: "pseudonyms" | "own" | null;
  /** Link parameters that identify a person. Who opens the link on a second device continues there once the first is closed. Default: `PROLIFIC_PID`, `workerId`, `participantId`, `participant_id`. */
  ids?: string | string[] | null;
  /** When tables start: by the host, each as soon as it is full (with random seats: once all can be full), or at a given time. */
  start?: "hand" | "full" | "at" | null;
  /** Time for `start: at`, in milliseconds since 1970. */
  start_at?: number | null;
  /** Maximum wait for a table; after it participation ends with `waited`. In seconds. */
  wait?: number | null;
  /** Text that people agree to first, one paragraph per line. Those who decline leave with `declined`. */
  consent?: string | null;
  /** Questions before the session. */
  before?: {
    /** Name of the answer. Default: `q1`, `q2` … */
    id?: string | null;
    /** The question. */
    label: string;
    /** An explanation below it. */
    help?: string | null;
    /** Kind of answer. */
    kind?: "text" | "choice" | "scale" | "number" | "yes_no" | null;
    /** The options. */
    options?: string | string[] | null;
    /** Smallest number. Default on a scale: 1. */
    least?: number | null;
    /** Largest number, default on a scale: 7. For a text: number of characters. */
    most?: number | null;
    /** Labels of the two ends of a scale. */
    ends?: string | string[] | null;
    /** May be left empty. */
    optional?: boolean | null;
    /** The right answer, in `comprehension`. */
    right?: unknown | null;
  }[] | null;
  /** Questions with a right answer, repeated until it is given. */
  comprehension?: {
    /** Name of the answer. Default: `q1`, `q2` … */
    id?: string | null;
    /** The question. */
    label: string;
    /** An explanation below it. */
    help?: string | null;
    /** Kind of answer. */
    kind?: "text" | "choice" | "scale" | "number" | "yes_no" | null;
    /** The options. */
    options?: string | string[] | null;
    /** Smallest number. Default on a scale: 1. */
    least?: number | null;
    /** Largest number, default on a scale: 7. For a text: number of characters. */
    most?: number | null;
    /** Labels of the two ends of a scale. */
    ends?: string | string[] | null;
    /** May be left empty. */
    optional?: boolean | null;
    /** The right answer, in `comprehension`. */
    right?: unknown | null;
  }[] | null;
  /** Maximum number of tries at them. Those who do not pass leave with `dropped`. */
  tries?: number | null;
  /** Questions after the session. */
  after?: {
    /** Name of the answer. Default: `q1`, `q2` … */
    id?: string | null;
    /** The question. */
    label: string;
    /** An explanation below it. */
    help?: string | null;
    /** Kind of answer. */
    kind?: "text" | "choice" | "scale" | "number" | "yes_no" | null;
    /** The options. */
    options?: string | string[] | null;
    /** Smallest number. Default on a scale: 1. */
    least?: number | null;
    /** Largest number, default on a scale: 7. For a text: number of characters. */
    most?: number | null;
    /** Labels of the two ends of a scale. */
    ends?: string | string[] | null;
    /** May be left empty. */
    optional?: boolean | null;
    /** The right answer, in `comprehension`. */
    right?: unknown | null;
  }[] | null;
  /** What happens when a guest is silent for 35 s or leaves the page. Default: the table waits. */
  absence?: {
    /** Delay. In seconds. */
    after?: number | null;
    /** Action: do nothing; remind, once per question; leave the question without an answer; let a simulated participant answer until the person is back; the same for good (`dropped`). */
    then?: "wait" | "remind" | "skip" | "stand_in" | "end" | null;
  } | null;
  /** What happens when a guest takes long over a question. Default: the table waits. */
  patience?: {
    /** Delay. In seconds. */
    after?: number | null;
    /** Action: do nothing; remind, once per question; leave the question without an answer; let a simulated participant answer until the person is back; the same for good (`dropped`). */
    then?: "wait" | "remind" | "skip" | "stand_in" | "end" | null;
  } | null;
  /** Exceptions for single seats. */
  seats?: {
    /** The participant's name in the configuration. */
    seat: string;
    /** Exception to `absence` for this seat. */
    absence?: {
      /** Delay. In seconds. */
      after?: number | null;
      /** Action: do nothing; remind, once per question; leave the question without an answer; let a simulated participant answer until the person is back; the same for good (`dropped`). */
      then?: "wait" | "remind" | "skip" | "stand_in" | "end" | null;
    } | null;
    /** Exception to `patience` for this seat. */
    patience?: {
      /** Delay. In seconds. */
      after?: number | null;
      /** Action: do nothing; remind, once per question; leave the question without an answer; let a simulated participant answer until the person is back; the same for good (`dropped`). */
      then?: "wait" | "remind" | "skip" | "stand_in" | "end" | null;
    } | null;
  }[] | null;
  /** Return address and code for each way in which participation ends. */
  ways?: {
    /** The person completed everything. */
    complete?: {
      /** Address. `{code}`, `{way}`, `{earned}` and parameters of the link (`{PROLIFIC_PID}`) are replaced. */
      url?: string | null;
      /** Code that is shown. */
      code?: string | null;
    } | null;
    /** The person declined to take part. */
    declined?: {
      /** Address. `{code}`, `{way}`, `{earned}` and parameters of the link (`{PROLIFIC_PID}`) are replaced. */
      url?: string | null;
      /** Code that is shown. */
      code?: string | null;
    } | null;
    /** Not enough people came for a table. */
    waited?: {
      /** Address. `{code}`, `{way}`, `{earned}` and parameters of the link (`{PROLIFIC_PID}`) are replaced. */
      url?: string | null;
      /** Code that is shown. */
      code?: string | null;
    } | null;
    /** The person left, was removed, was away too long, or failed the check. */
    dropped?: {
      /** Address. `{code}`, `{way}`, `{earned}` and parameters of the link (`{PROLIFIC_PID}`) are replaced. */
      url?: string | null;
      /** Code that is shown. */
      code?: string | null;
    } | null;
    /** The room ended early. */
    trouble?: {
      /** Address. `{code}`, `{way}`, `{earned}` and parameters of the link (`{PROLIFIC_PID}`) are replaced. */
      url?: string | null;
      /** Code that is shown. */
      code?: string | null;
    } | null;
  } | null;
  /** Payment, shown at the end: `fixed`, plus `rate` per unit of the result for the person's seat. */
  earned?: {
    /** Currency; stands before the number. */
    unit?: string | null;
    /** Amount per unit. */
    rate?: number | null;
    /** Amount for everybody who sat at a table to its end. */
    fixed?: number | null;
    /** Field of the result with values by seat. Default: `payoffs`. */
    from?: string | null;
  } | null;
}

/** A study file. */
export interface StudyFile {
  /** Version of this format: 1. */
  study: number;
  /** Address of the JSON Schema for editors. No effect. */
  "$schema"?: string | null;
  /** Name of the study, of the characters a-z, 0-9 and -. Ids of runs begin with it. */
  id: string;
  /** Title. No effect on runs. */
  title?: string | null;
  /** The configuration that the factors change, of any procedure. The command line also takes the name of a file. Its `seed` has no effect. */
  base: {
    [key: string]: unknown;
  } | string;
  /** Levels by factor, and in each level the settings by path. Names consist of the characters a-z, 0-9, - and _. Default: one cell, `all`. */
  factors?: Record<string, Record<string, Record<string, unknown>>> | null;
  /** Combinations of levels that are left out. An entry without a factor leaves out all levels of it. */
  exclude?: Record<string, unknown>[] | null;
  /** Runs of a cell. It may grow: earlier runs stay as they are. */
  n: number;
  /** Seed of the order of runs and of their own seeds. */
  seed?: number | null;
  /** `paired`: a repetition has the same seed in every cell. `independent`: every run has its own. */
  seeds?: "paired" | "independent" | null;
  /** Limits of the whole study. */
  budget?: {
    /** Maximum cost, in the currency of the prices. */
    cost?: number | null;
    /** Maximum number of calls. */
    calls?: number | null;
  } | null;
  /** Limits of the whole study by host, such as `api.openai.com`. */
  limits?: {
    /** Maximum number of calls at the same time, by host. */
    calls_at_once?: Record<string, number> | null;
    /** Maximum number of calls in a minute, by host. */
    calls_per_minute?: Record<string, number> | null;
  } | null;
  /** Settings of the tables of people: those of a [room](settings.md#a-room) except `session`, `study`, `shard`, `tables` and `seed`. They are the same in all cells. */
  people?: {
    /** Title above every page of the room. */
    title?: string | null;
    /** Language of the room's own questions and of pseudonyms. People may choose another for their page. */
    language?: "English" | "Spanish" | "Mandarin" | "en" | "es" | "zh" | null;
    /** People at a table. Default: as many as the configuration has. Seats of kind `human` are taken first, then others in their order. */
    people?: number | null;
    /** Minimum of people at a table; with fewer it does not start. */
    least?: number | null;
    /** Fill seats without a person with simulated participants; otherwise only full tables start. */
    fill?: boolean | null;
    /** How people get their seats: in order of arrival, at random, or assigned by the host. */
    deal?: "arrival" | "random" | "hand" | null;
    /** `own`: ask people for a name. The record contains pseudonyms in any case. */
    names?: "pseudonyms" | "own" | null;
    /** Link parameters that identify a person. Who opens the link on a second device continues there once the first is closed. Default: `PROLIFIC_PID`, `workerId`, `participantId`, `participant_id`. */
    ids?: string | string[] | null;
    /** When tables start: by the host, each as soon as it is full (with random seats: once all can be full), or at a given time. */
    start?: "hand" | "full" | "at" | null;
    /** Time for `start: at`, in milliseconds since 1970. */
    start_at?: number | null;
    /** Maximum wait for a table; after it participation ends with `waited`. */
    wait?: number | null;
    /** Text that people agree to first, one paragraph per line. Those who decline leave with `declined`. */
    consent?: string | null;
    /** Questions before the session. */
    before?: {
      /** Name of the answer. Default: `q1`, `q2` … */
      id?: string | null;
      /** The question. */
      label: string;
      /** An explanation below it. */
      help?: string | null;
      /** Kind of answer. */
      kind?: "text" | "choice" | "scale" | "number" | "yes_no" | null;
      /** The options. */
      options?: string | string[] | null;
      /** Smallest number. Default on a scale: 1. */
      least?: number | null;
      /** Largest number, default on a scale: 7. For a text: number of characters. */
      most?: number | null;
      /** Labels of the two ends of a scale. */
      ends?: string | string[] | null;
      /** May be left empty. */
      optional?: boolean | null;
      /** The right answer, in `comprehension`. */
      right?: unknown | null;
    }[] | null;
    /** Questions with a right answer, repeated until it is given. */
    comprehension?: {
      /** Name of the answer. Default: `q1`, `q2` … */
      id?: string | null;
      /** The question. */
      label: string;
      /** An explanation below it. */
      help?: string | null;
      /** Kind of answer. */
      kind?: "text" | "choice" | "scale" | "number" | "yes_no" | null;
      /** The options. */
      options?: string | string[] | null;
      /** Smallest number. Default on a scale: 1. */
      least?: number | null;
      /** Largest number, default on a scale: 7. For a text: number of characters. */
      most?: number | null;
      /** Labels of the two ends of a scale. */
      ends?: string | string[] | null;
      /** May be left empty. */
      optional?: boolean | null;
      /** The right answer, in `comprehension`. */
      right?: unknown | null;
    }[] | null;
    /** Maximum number of tries at them. Those who do not pass leave with `dropped`. */
    tries?: number | null;
    /** Questions after the session. */
    after?: {
      /** Name of the answer. Default: `q1`, `q2` … */
      id?: string | null;
      /** The question. */
      label: string;
      /** An explanation below it. */
      help?: string | null;
      /** Kind of answer. */
      kind?: "text" | "choice" | "scale" | "number" | "yes_no" | null;
      /** The options. */
      options?: string | string[] | null;
      /** Smallest number. Default on a scale: 1. */
      least?: number | null;
      /** Largest number, default on a scale: 7. For a text: number of characters. */
      most?: number | null;
      /** Labels of the two ends of a scale. */
      ends?: string | string[] | null;
      /** May be left empty. */
      optional?: boolean | null;
      /** The right answer, in `comprehension`. */
      right?: unknown | null;
    }[] | null;
    /** What happens when a guest is silent for 35 s or leaves the page. Default: the table waits. */
    absence?: {
      /** Delay. */
      after?: number | null;
      /** Action: do nothing; remind, once per question; leave the question without an answer; let a simulated participant answer until the person is back; the same for good (`dropped`). */
      then?: "wait" | "remind" | "skip" | "stand_in" | "end" | null;
    } | null;
    /** What happens when a guest takes long over a question. Default: the table waits. */
    patience?: {
      /** Delay. */
      after?: number | null;
      /** Action: do nothing; remind, once per question; leave the question without an answer; let a simulated participant answer until the person is back; the same for good (`dropped`). */
      then?: "wait" | "remind" | "skip" | "stand_in" | "end" | null;
    } | null;
    /** Exceptions for single seats. */
    seats?: {
      /** The participant's name in the configuration. */
      seat: string;
      /** Exception to `absence` for this seat. */
      absence?: {
        /** Delay. */
        after?: number | null;
        /** Action: do nothing; remind, once per question; leave the question without an answer; let a simulated participant answer until the person is back; the same for good (`dropped`). */
        then?: "wait" | "remind" | "skip" | "stand_in" | "end" | null;
      } | null;
      /** Exception to `patience` for this seat. */
      patience?: {
        /** Delay. */
        after?: number | null;
        /** Action: do nothing; remind, once per question; leave the question without an answer; let a simulated participant answer until the person is back; the same for good (`dropped`). */
        then?: "wait" | "remind" | "skip" | "stand_in" | "end" | null;
      } | null;
    }[] | null;
    /** Return address and code for each way in which participation ends. */
    ways?: {
      /** The person completed everything. */
      complete?: {
        /** Address. `{code}`, `{way}`, `{earned}` and parameters of the link (`{PROLIFIC_PID}`) are replaced. */
        url?: string | null;
        /** Code that is shown. */
        code?: string | null;
      } | null;
      /** The person declined to take part. */
      declined?: {
        /** Address. `{code}`, `{way}`, `{earned}` and parameters of the link (`{PROLIFIC_PID}`) are replaced. */
        url?: string | null;
        /** Code that is shown. */
        code?: string | null;
      } | null;
      /** Not enough people came for a table. */
      waited?: {
        /** Address. `{code}`, `{way}`, `{earned}` and parameters of the link (`{PROLIFIC_PID}`) are replaced. */
        url?: string | null;
        /** Code that is shown. */
        code?: string | null;
      } | null;
      /** The person left, was removed, was away too long, or failed the check. */
      dropped?: {
        /** Address. `{code}`, `{way}`, `{earned}` and parameters of the link (`{PROLIFIC_PID}`) are replaced. */
        url?: string | null;
        /** Code that is shown. */
        code?: string | null;
      } | null;
      /** The room ended early. */
      trouble?: {
        /** Address. `{code}`, `{way}`, `{earned}` and parameters of the link (`{PROLIFIC_PID}`) are replaced. */
        url?: string | null;
        /** Code that is shown. */
        code?: string | null;
      } | null;
    } | null;
    /** Payment, shown at the end: `fixed`, plus `rate` per unit of the result for the person's seat. */
    earned?: {
      /** Currency; stands before the number. */
      unit?: string | null;
      /** Amount per unit. */
      rate?: number | null;
      /** Amount for everybody who sat at a table to its end. */
      fixed?: number | null;
      /** Field of the result with values by seat. Default: `payoffs`. */
      from?: string | null;
    } | null;
    /** How many guests may leave a table before its end. If more do, the table is void, and another one is held in its place. */
    leavers?: number | null;
  } | null;
  /** Columns of the table `runs` that summaries show. No effect on runs. */
  outcomes?: string | string[] | null;
}
