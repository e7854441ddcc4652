"""What measuring needs of Skyjo: tables at which agents are asked, results of deals, their luck, and replaying."""
